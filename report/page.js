"use strict";
// The diagram: threads are columns, time goes down. Only what is visible is drawn, as one path for all marks
// of a kind; when marks would run into each other, each column becomes a histogram. The pointer finds events
// by calculation, so that no event needs an element of its own.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const HEAD = 30, LEGIBLE = 11, DENSE = 3.5;
const SHAPES = {
  thread: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  mutex: (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  rwlock: (x, y, r) => `M${x - 1.4 * r} ${y - .7 * r}h${2.8 * r}v${1.4 * r}h${-2.8 * r}z`,
  spin: (x, y, r) => `M${x} ${y - 1.2 * r}l${1.2 * r} ${1.2 * r}l${-1.2 * r} ${1.2 * r}l${-1.2 * r} ${-1.2 * r}z`,
  cond: (x, y, r) => `M${x} ${y - r}l${1.1 * r} ${2 * r}h${-2.2 * r}z`,
  barrier: (x, y, r) => `M${x - 1.8 * r} ${y - .45 * r}h${3.6 * r}v${.9 * r}h${-3.6 * r}z`,
  semaphore: (x, y, r) => `M${x - r} ${y - .5 * r}l${r} ${-.6 * r}l${r} ${.6 * r}v${r}l${-r} ${.6 * r}l${-r} ${-.6 * r}z`,
  once: (x, y, r) => `M${x} ${y + r}l${1.1 * r} ${-2 * r}h${-2.2 * r}z`,
  futex: (x, y, r) => `M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`,
  call: (x, y, r) => `M${x - .5 * r} ${y - .7 * r}l${r} ${.7 * r}l${-r} ${.7 * r}`,
  other: (x, y, r) => `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`,
};
const FAMILIES = Object.keys(SHAPES);
const OPEN = {futex: 1, call: 1, other: 1};
const TAKES = 1, DROPS = 2, RETAKES = 3, LEAVES = 4, OPENS = 5, CLOSES = 6, ARRIVES = 7, DEPARTS = 8, CALLS_BACK = 9;  // as in html.c

// What names hold must not act: control characters, and those that turn the direction of writing.
const show = s => String(s).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
  c => "\\u{" + c.codePointAt(0).toString(16) + "}");
const count = (n, one, many = one + "s") => n.toLocaleString("en") + " " + (n === 1 ? one : many);
function element(name, text, attributes = {}) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  for (const k in attributes) e[k] = attributes[k];
  return e;
}
function svg(name, attributes = {}) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  return e;
}

// Flat arrays of the JSON to columns. Ids of sites, objects and threads are one more than they are; 0 is none.
let m = null;
function load(s) {
  const n = s.e.length / 5, threads = s.routines.length;
  const column = () => new Int32Array(n);
  m = {s, n, threads, thread: column(), op: column(), site: column(), object: column(), other: column(),
       prev: column().fill(-1), next: column().fill(-1), path: column().fill(-1), depth: column(),
       generation: column().fill(-1), lanes: [], held: [], calls: [], generations: []};
  ["thread", "op", "site", "object", "other"].forEach((name, k) => {
    for (let i = 0; i < n; ++i) m[name][i] = s.e[5 * i + k];
  });
  const lanes = Array.from({length: threads}, () => []);
  for (let i = 0; i < n; ++i) {
    const lane = lanes[m.thread[i]];
    if (lane.length) m.prev[i] = lane[lane.length - 1], m.next[m.prev[i]] = i;
    lane.push(i);
  }
  m.lanes = lanes.map(l => Int32Array.from(l));
  load_edges(s.w);
  for (let i = 0; i < s.g.length; i += 2) {
    const e = s.g[i], g = s.g[i + 1], role = s.ops[m.op[e]][2];
    const both = m.generations[g] || (m.generations[g] = {arrives: [], departs: []});
    m.generation[e] = g;
    (role === ARRIVES ? both.arrives : both.departs).push(e);
  }
  find_spans();
  m.texts = new Map();
}

function load_edges(w) {
  const edges = w.length / 2;
  m.from = new Int32Array(edges), m.to = new Int32Array(edges), m.credit = new Uint8Array(edges);
  m.into = new Int32Array(m.n + 1), m.out_of = new Int32Array(m.n + 1), m.leaving = new Int32Array(edges);
  for (let k = 0, to = 0; k < edges; ++k) {
    to += w[2 * k];
    m.to[k] = to, m.from[k] = to - (w[2 * k + 1] >> 1), m.credit[k] = w[2 * k + 1] & 1;
    ++m.into[to + 1], ++m.out_of[m.from[k] + 1];
  }
  for (let i = 0; i < m.n; ++i) m.into[i + 1] += m.into[i], m.out_of[i + 1] += m.out_of[i];
  const at = m.out_of.slice();
  for (let k = 0; k < edges; ++k) m.leaving[at[m.from[k]]++] = k;
}

// Critical sections and calls, as spans of a thread: what nothing ends lasts to the thread's last event.
function find_spans() {
  for (const lane of m.lanes) {
    const open = new Map(), stack = [];
    const last = lane[lane.length - 1];
    const take = (object, i) => {
      const h = open.get(object);
      if (h) ++h.times;
      else open.set(object, {object, from: i, to: last, times: 1, nest: open.size});
    };
    const drop = (object, i) => {
      const h = open.get(object);
      if (!h || --h.times) return;
      h.to = i, m.held.push(h), open.delete(object);
    };
    for (const i of lane) {
      const role = m.s.ops[m.op[i]][2];
      const outside = role === CLOSES || role === CALLS_BACK || (m.s.ops[m.op[i]][0] === "exit" && !m.site[i]);
      if (outside && stack.length && stack[stack.length - 1].back) stack.pop().to = i;
      if (role === CLOSES && stack.length) stack.pop().to = i;
      m.depth[i] = stack.length;
      m.path[i] = stack.length ? stack[stack.length - 1].from : -1;
      if (role === TAKES) take(m.object[i], i);
      if (role === DROPS) drop(m.object[i], i);
      if (role === RETAKES) take(m.other[i], i);
      if (role === LEAVES) drop(m.other[i], i);
      if (role === OPENS || role === CALLS_BACK) {
        const call = {from: i, to: last, nest: stack.length, back: role === CALLS_BACK};
        stack.push(call), m.calls.push(call);
      }
    }
    m.held.push(...open.values());
  }
}

// Rows: as recorded, one each; or as early as what it waits for allows.
function place(early) {
  m.row = new Int32Array(m.n);
  m.rows = m.n;
  if (!early) for (let i = 0; i < m.n; ++i) m.row[i] = i;
  else m.rows = m.n ? place_early() : 0;
}
function place_early() {
  let most = 0;
  for (let i = 0; i < m.n; ++i) {
    let row = m.prev[i] < 0 ? 0 : m.row[m.prev[i]] + 1;
    for (const k of range(m.into[i], m.into[i + 1])) row = Math.max(row, m.row[m.from[k]] + 1);
    for (const a of arrivals(i)) row = Math.max(row, m.row[a] + 1);
    m.row[i] = row;
    most = Math.max(most, row);
  }
  return most + 1;
}
function* range(a, b) { for (; a < b; ++a) yield a; }
const role_of = i => m.s.ops[m.op[i]][2];
const arrivals = i => role_of(i) === DEPARTS && m.generation[i] >= 0 ? m.generations[m.generation[i]].arrives : [];
const departures = i => role_of(i) === ARRIVES && m.generation[i] >= 0 ? m.generations[m.generation[i]].departs : [];

// Words.
const object_name = id => m.s.objects[id - 1][0];
function operands(i) {
  const [word, , , , called] = m.s.ops[m.op[i]], names = [];
  if (called) return show(called);
  if (word === "call") return show(data.sites[2 * m.site[i] - 2]);
  if (m.object[i]) names.push(object_name(m.object[i]));
  if (m.other[i]) names.push(role_of(i) === LEAVES || role_of(i) === RETAKES || word.startsWith("wait") ?
    object_name(m.other[i]) : "t" + (m.other[i] - 1));
  return names.join(" ");
}
function title(i) {
  const op = m.s.ops[m.op[i]], what = operands(i);
  return op[0] + (what ? " " + what : "") + (op[3] ? " = " + op[3] : "");
}
const thread_name = t => "t" + t + " " + show(m.s.routines[t] || (t ? "" : "main"));
const place_of = i => m.site[i] ? show(data.sites[2 * m.site[i] - 1]) : "";
const site_of = i => m.site[i] ? show(data.sites[2 * m.site[i] - 2]) : "";

// The view: the row at the top, pixels of a row, pixels that the columns are moved to the left.
const view = {top: 0, row: 18, left: 0, width: 0, height: 0, lane: 0, axis: 0, overview: 34, indent: 20, text: 15, letter: 7};
let pin = -1, over = -1, relation = null, found = new Int32Array(0), at_match = -1, asked = false;
const x_of = t => view.axis + t * view.lane - view.left + view.indent;
const y_of = row => Math.round((row + .5 - view.top) * view.row * 10) / 10;

function measure() {
  const box = $("diagram").getBoundingClientRect();
  view.overview = box.width < 500 ? 20 : 34;
  view.width = Math.max(60, box.width - view.overview), view.height = Math.max(60, box.height - HEAD);
  view.axis = Math.max(30, 7.5 * String(m.rows).length + 10);
  view.lane = Math.min(280, Math.max(74, (view.width - view.axis) / m.threads));
  const narrow = view.lane < 120;
  $("diagram").classList.toggle("narrow", narrow);
  [view.indent, view.text, view.letter] = narrow ? [13, 9, 6.4] : [20, 15, 7];
  for (const [id, w] of [["picture", view.width], ["overview", view.overview]])
    $(id).setAttribute("width", w), $(id).setAttribute("height", view.height);
}
function limit() {
  const fit = view.height / Math.max(1, m.rows);
  view.row = Math.min(48, Math.max(Math.min(fit, 18), view.row));
  view.top = Math.max(0, Math.min(view.top, m.rows + .5 - view.height / view.row));
  view.left = Math.max(0, Math.min(view.left, view.axis + m.threads * view.lane - view.width));
}
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => (asked = false, limit(), draw()));
}
function zoom(by, y = view.height / 2) {
  const row = view.top + y / view.row;
  view.row *= by;
  limit();
  view.top = row - y / view.row;
  redraw();
}
function move(dx, dy) {
  view.top += dy / view.row, view.left += dx;
  redraw();
}
function set_rows(pixels) {
  const middle = pin >= 0 ? m.row[pin] : view.top + view.height / 2 / view.row;
  view.row = pixels;
  view.top = middle - view.height / 2 / view.row;
  redraw();
}
function reveal(i) {
  const y = y_of(m.row[i]), x = x_of(m.thread[i]);
  if (view.row < LEGIBLE) view.row = 18, view.top = m.row[i] - view.height / 2 / 18;
  else if (y < 20 || y > view.height - 20) view.top = m.row[i] - view.height / 2 / view.row;
  if (x < view.axis + 10 || x > view.width - 60) view.left += x - view.width / 2;
  redraw();
}

// The first of a thread's events that is in this row or later, as an index of its lane.
function first_in(lane, row) {
  let a = 0, b = lane.length;
  while (a < b) {
    const c = (a + b) >> 1;
    if (m.row[lane[c]] < row) a = c + 1;
    else b = c;
  }
  return a;
}

function draw() {
  const lo = Math.floor(view.top) - 1, hi = Math.ceil(view.top + view.height / view.row) + 1;
  const first = Math.max(0, Math.floor((view.left - view.axis) / view.lane)),
        end = Math.min(m.threads, Math.ceil((view.left + view.width) / view.lane) + 1);
  draw_lanes(first, end);
  draw_ticks(Math.max(0, lo), Math.min(m.rows, hi));
  draw_spans(lo, hi);
  draw_relation();
  draw_edges(lo, hi);
  if (view.row >= DENSE) draw_marks(lo, hi, first, end);
  else draw_histogram(lo, hi, first, end);
  draw_rings(lo, hi);
  draw_window();
}

function draw_lanes(first, end) {
  const heads = [], lines = [];
  for (let t = first; t < end; ++t) {
    const x = x_of(t), head = element("span"), routine = m.s.routines[t] || (t ? "" : "main");
    head.append(element("b", "t" + t), " ", element("i", show(routine)));
    head.title = thread_name(t);
    head.style.left = x - 8 + "px", head.style.width = view.lane - 8 + "px";
    heads.push(head);
    const y = Math.max(0, m.lanes[t].length ? y_of(m.row[m.lanes[t][0]]) : 0);
    const z = Math.min(view.height, m.lanes[t].length ? y_of(m.row[m.lanes[t][m.lanes[t].length - 1]]) : 0);
    if (y < z) lines.push(svg("path", {class: "lane", d: `M${x} ${y}V${z}`}));
  }
  const corner = element("span", "", {className: "corner"});
  corner.style.width = view.axis + "px";
  $("heads").replaceChildren(...heads, corner);
  $("lanes").replaceChildren(...lines);
}

function draw_ticks(lo, hi) {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7];
  const step = steps.find(s => s * view.row >= 17) || 1e8;
  let grid = "";
  const texts = [];
  for (let row = Math.ceil(lo / step) * step; row < hi; row += step) {
    const y = y_of(row);
    if (step > 1) grid += `M${view.axis} ${y}H${view.width}`;
    const t = svg("text", {x: view.axis - 8, y: y + 4, "text-anchor": "end"});
    t.textContent = row;
    texts.push(t);
  }
  $("grid").setAttribute("d", grid);
  $("axis").setAttribute("d", `M0 0h${view.axis - 4}v${view.height}h${4 - view.axis}z`);
  $("ticks").replaceChildren(...texts);
}

function draw_spans(lo, hi) {
  let held = "", calls = "";
  for (const h of m.held) {
    if (m.row[h.to] < lo || m.row[h.from] > hi) continue;
    const y = Math.max(-10, y_of(m.row[h.from])), z = Math.min(view.height + 10, y_of(m.row[h.to]));
    if (z - y < 2) continue;
    const w = Math.max(4, 18 - 4 * h.nest);
    held += `M${x_of(m.thread[h.from]) - w / 2} ${y}h${w}V${z}h${-w}z`;
  }
  for (const c of m.calls) {
    if (c.nest > 3 || m.row[c.to] < lo || m.row[c.from] > hi) continue;
    const y = Math.max(-10, y_of(m.row[c.from])), z = Math.min(view.height + 10, y_of(m.row[c.to]));
    if (z - y < (view.row < DENSE ? 10 : 4)) continue;
    const w = view.indent / 2 - 3 - c.nest * view.indent / 10;
    calls += `M${x_of(m.thread[c.from]) - view.indent / 2 - 1} ${y}h${-w}V${z}h${w}`;
  }
  $("held").setAttribute("d", held);
  $("calls").setAttribute("d", calls);
}

function draw_relation() {
  let before = "", after = "";
  for (let t = 0; relation && t < m.threads; ++t) {
    const x = x_of(t), lane = m.lanes[t], clip = y => Math.max(-5, Math.min(view.height + 5, y));
    if (relation.last[t] >= 0) before += `M${x} ${clip(y_of(m.row[lane[0]]))}V${clip(y_of(m.row[relation.last[t]]))}`;
    if (relation.first[t] < m.n)
      after += `M${x} ${clip(y_of(m.row[relation.first[t]]))}V${clip(y_of(m.row[lane[lane.length - 1]]))}`;
  }
  $("before").setAttribute("d", before);
  $("after").setAttribute("d", after);
}

function draw_edges(lo, hi) {
  const lines = {hb: "", order: "", near: ""}, tips = {hb: "", order: "", near: ""};
  let meets = "", drawn = 0;
  const gap = Math.min(7, Math.max(2, view.row * .4));
  const total = m.s.order === "total", most = view.row < DENSE ? 500 : 4000;
  for (let k = 0; k < m.from.length && drawn < most; ++k) {
    const a = m.from[k], b = m.to[k], near = a === pin || b === pin;
    if (m.row[b] < lo || m.row[a] > hi || (total && !near)) continue;
    const way = m.thread[a] < m.thread[b] ? 1 : -1, kind = near ? "near" : m.credit[k] ? "hb" : "order";
    const x = x_of(m.thread[a]) + way * gap, y = y_of(m.row[a]), p = x_of(m.thread[b]) - way * (gap + 4), q = y_of(m.row[b]);
    if (Math.max(x, p) < 0 || Math.min(x, p) > view.width) continue;
    const bend = (p - x) / 2;
    lines[kind] += `M${x} ${y}C${x + bend} ${y} ${p - bend} ${q} ${p} ${q}`;
    tips[kind] += `M${p + 5 * way} ${q}l${-6 * way} -3.5v7z`;
    ++drawn;
  }
  if (drawn >= most) for (const k in lines) if (k !== "near") lines[k] = tips[k] = "";
  for (const g of m.generations) {
    if (!g || !g.departs.length || view.row < DENSE) continue;
    const rows = g.arrives.concat(g.departs).map(e => m.row[e]);
    const last = g.arrives.reduce((a, b) => m.row[a] >= m.row[b] ? a : b);
    if (m.row[last] < lo || rows[0] > hi) continue;
    for (const d of g.departs)
      if (d !== last && m.thread[d] !== m.thread[last])
        meets += `M${x_of(m.thread[last])} ${y_of(m.row[last])}L${x_of(m.thread[d])} ${y_of(m.row[d])}`;
  }
  for (const k in lines) $(k).setAttribute("d", lines[k]), $("heads-" + k).setAttribute("d", tips[k]);
  $("meets").setAttribute("d", meets);
}

const related = i => !relation || i === pin || i <= relation.last[m.thread[i]] || i >= relation.first[m.thread[i]];

function draw_marks(lo, hi, first, end) {
  const paths = new Map(), labels = [];
  const r = Math.max(1.4, Math.min(5, view.row * .3)), room = Math.floor((view.lane - view.indent - view.text + 4) / view.letter);
  let bad = "";
  for (let t = first; t < end; ++t) {
    const lane = m.lanes[t], x = x_of(t);
    for (let k = first_in(lane, lo); k < lane.length && m.row[lane[k]] <= hi; ++k) {
      const i = lane[k], [, family, role, result] = m.s.ops[m.op[i]], y = y_of(m.row[i]);
      const kind = "mark " + family + (role === DROPS || role === CLOSES || role === DEPARTS || OPEN[family] ? " hollow" : "") +
                   (related(i) ? "" : " faded");
      paths.set(kind, (paths.get(kind) || "") + SHAPES[family](x, y, r));
      if (result && result !== "serial" && result !== "ran") bad += SHAPES.thread(x, y, r + 3);
      if (view.row >= LEGIBLE && room > 2) labels.push([x + view.text, y + 4, cut(title(i), room), related(i)]);
    }
  }
  const marks = [];
  for (const [kind, d] of [...paths].sort()) {
    const p = svg("path", {class: kind, d});
    p.style.setProperty("--family", `var(--${kind.split(" ")[1]})`);
    marks.push(p);
  }
  $("marks").replaceChildren(...marks);
  $("bad").setAttribute("d", bad);
  draw_labels(labels);
}
const cut = (s, room) => s.length > room ? s.slice(0, room - 1) + "\u2026" : s;
function draw_labels(labels) {
  const box = $("labels");
  $("plates").setAttribute("d", labels.map(([x, y, text]) => `M${x - 2} ${y - 11}h${text.length * view.letter + 3}v14h${-text.length * view.letter - 3}z`).join(""));
  while (box.childNodes.length > labels.length) box.lastChild.remove();
  while (box.childNodes.length < labels.length) box.append(svg("text"));
  labels.forEach(([x, y, text, near], k) => {
    const e = box.childNodes[k];
    e.setAttribute("x", x), e.setAttribute("y", y), e.setAttribute("class", near ? "" : "faded");
    if (e.textContent !== text) e.textContent = text;
  });
}

// How many events of which family fall into two pixels of a column.
function draw_histogram(lo, hi, first, end) {
  const bins = Math.ceil(view.height / 2) + 1, families = FAMILIES.length, counts = new Uint32Array(bins * families);
  const paths = FAMILIES.map(() => ""), lookup = m.s.ops.map(o => FAMILIES.indexOf(o[1]));
  const most = Math.max(1, Math.min(m.n, 2 / view.row)), wide = Math.min(view.lane - 34, 120);
  for (let t = first; t < end; ++t) {
    const lane = m.lanes[t], x = x_of(t);
    counts.fill(0);
    for (let k = first_in(lane, lo); k < lane.length && m.row[lane[k]] <= hi; ++k) {
      const bin = Math.floor((m.row[lane[k]] + .5 - view.top) * view.row / 2);
      if (bin >= 0 && bin < bins) ++counts[bin * families + lookup[m.op[lane[k]]]];
    }
    for (let b = 0; b < bins; ++b)
      for (let f = 0, at = x + 3; f < families; ++f) {
        const c = counts[b * families + f];
        if (!c) continue;
        const w = Math.max(2, Math.round(c / most * wide));
        paths[f] += `M${at} ${2 * b}h${w}v2h${-w}z`;
        at += w;
      }
  }
  $("marks").replaceChildren(...paths.map((d, f) => {
    const p = svg("path", {d});
    p.style.fill = `var(--${FAMILIES[f]})`;
    return p;
  }));
  $("bad").setAttribute("d", "");
  draw_labels([]);
}

const ring = (i, r) => SHAPES.thread(x_of(m.thread[i]), y_of(m.row[i]), r);
function draw_rings(lo, hi) {
  let hits = "", drawn = 0;
  for (const i of found)
    if (m.row[i] >= lo && m.row[i] <= hi && ++drawn <= 8000)
      hits += view.row < DENSE ? `M${x_of(m.thread[i]) - 10} ${y_of(m.row[i])}h7` : ring(i, 8);
  $("hits").setAttribute("d", hits);
  $("hit").setAttribute("d", at_match >= 0 && found.length ? ring(found[at_match], 8) : "");
  $("pin").setAttribute("d", (pin >= 0 ? ring(pin, 9) : "") + (over >= 0 && over !== pin ? ring(over, 8) : ""));
}

// The overview: all events in the height of the page, darker where there are more.
function draw_overview() {
  const bins = Math.max(1, Math.floor(view.height / 3)), lanes = Math.min(m.threads, view.overview - 6);
  const counts = new Uint32Array(bins * lanes), levels = ["", "", ""], w = (view.overview - 6) / lanes;
  let most = 1, marks = "";
  const bin = i => Math.min(bins - 1, Math.floor(m.row[i] / m.rows * bins));
  for (let i = 0; i < m.n; ++i)
    most = Math.max(most, ++counts[bin(i) * lanes + Math.floor(m.thread[i] * lanes / m.threads)]);
  counts.forEach((c, k) => {
    if (c) levels[Math.min(2, Math.floor(3 * c / (most + 1)))] += `M${3 + k % lanes * w} ${3 * Math.floor(k / lanes)}h${w * .85}v2.6h${-w * .85}z`;
  });
  $("density").replaceChildren(...levels.map((d, k) => svg("path", {d, opacity: [.3, .6, 1][k]})));
  new Set(Array.from(found, bin)).forEach(b => marks += `M0 ${3 * b + 1.5}h${view.overview}`);
  $("found").setAttribute("d", marks);
}
function draw_window() {
  const scale = view.height / Math.max(m.rows, view.height / view.row);
  $("overview").style.visibility = m.rows * view.row > view.height + 1 ? "" : "hidden";
  $("window").setAttribute("y", view.top * scale);
  $("window").setAttribute("width", view.overview);
  $("window").setAttribute("height", Math.max(4, Math.min(view.height, view.height / view.row * scale)));
}

// Which events are ordered before and after one: of each thread the last before it and the first after it.
function relate(i) {
  const relation = {last: new Int32Array(m.threads).fill(-1), first: new Int32Array(m.threads).fill(m.n), before: 0, after: 0};
  if (m.s.order === "total") {
    m.lanes.forEach((lane, t) => {
      for (const e of lane) if (e < i) relation.last[t] = e;
      relation.first[t] = lane.find(e => e > i) ?? m.n;
    });
    return Object.assign(relation, {before: i, after: m.n - 1 - i});
  }
  relation.before = reach(i, (e, go) => {
    if (m.prev[e] >= 0) go(m.prev[e]);
    for (let k = m.into[e]; k < m.into[e + 1]; ++k) go(m.from[k]);
    arrivals(e).forEach(go);
  }, e => relation.last[m.thread[e]] = Math.max(relation.last[m.thread[e]], e));
  relation.after = reach(i, (e, go) => {
    if (m.next[e] >= 0) go(m.next[e]);
    for (let k = m.out_of[e]; k < m.out_of[e + 1]; ++k) go(m.to[m.leaving[k]]);
    departures(e).forEach(go);
  }, e => relation.first[m.thread[e]] = Math.min(relation.first[m.thread[e]], e));
  return relation;
}
function reach(i, step, note) {
  const seen = new Uint8Array(m.n), todo = [i];
  let n = 0;
  const go = e => {
    if (seen[e] || e === i) return;
    seen[e] = 1, ++n, note(e), todo.push(e);
  };
  while (todo.length) step(todo.pop(), go);
  return n;
}

function select(i) {
  pin = i;
  relation = i >= 0 ? relate(i) : null;
  describe();
  const hash = i >= 0 ? `#${m.s.id}:${i}` : " ";
  try { history.replaceState(null, "", i >= 0 ? hash : location.pathname + location.search); } catch { /* about: pages have no history */ }
  redraw();
}

function go_button(i) {
  const b = element("button", "#" + i, {type: "button", title: title(i)});
  b.onclick = () => (select(i), reveal(i));
  return b;
}
function rows(list, items) {
  for (const [name, value] of items) {
    if (value === "" || value === null || (Array.isArray(value) && !value.length)) continue;
    const dd = element("dd");
    dd.append(...(Array.isArray(value) ? value : [value]));
    list.append(element("dt", name), dd);
  }
  return list;
}
function some(events) {
  const shown = events.slice(0, 12).map(go_button);
  if (events.length > 12) shown.push(`and ${events.length - 12} more`);
  return shown;
}
function uses_of(i) {
  const id = m.object[i];
  if (!id) return [];
  let n = 0, before = -1, after = -1;
  for (let e = 0; e < m.n; ++e) {
    if (m.object[e] !== id) continue;
    ++n;
    if (e < i) before = e;
    if (e > i && after < 0) after = e;
  }
  const buttons = [[before, "previous"], [after, "next"]].filter(([e]) => e >= 0).map(([e, word]) => {
    const b = go_button(e);
    b.textContent = word + " #" + e;
    return b;
  });
  return [count(n, "time"), ...(buttons.length ? [element("br"), ...buttons] : [])];
}
function describe() {
  const box = $("selected");
  box.replaceChildren();
  if (pin < 0) return;
  const i = pin, object = m.object[i] ? m.s.objects[m.object[i] - 1] : null, calls = [];
  for (let e = m.path[i]; e >= 0; e = m.path[e]) calls.push(e);
  const neither = m.n - 1 - relation.before - relation.after;
  const waits = [...range(m.into[i], m.into[i + 1])].map(k => m.from[k]);
  const waited = [...range(m.out_of[i], m.out_of[i + 1])].map(k => m.to[m.leaving[k]]);
  box.append(element("h2", title(i), {className: "mono"}),
             element("p", `event ${i} of ${thread_name(m.thread[i])}`, {className: "where"}),
             rows(element("dl"), [
               ["Source", place_of(i)], ["Site", site_of(i)],
               ["Object", object ? `${object[0]}, ${object[1]}${object[2] ? ", " + show(object[2]) : ""}` : ""],
               ["Used", uses_of(i)], ["Called in", some(calls)],
               ["Waits for", some(waits)], ["Barrier", some(arrivals(i))], ["Waited for by", some(waited)], ["Lets go", some(departures(i))],
               ["Before it", count(relation.before, "event")], ["After it", count(relation.after, "event")],
               ["Either way", neither ? count(neither, "event") : ""],
             ]));
}

function about() {
  const s = m.s, box = $("about"), share = s.scheduled_share;
  const frames = [];
  for (let k = 0; k < s.frames.length; k += 2) frames.push((k ? "from " : "in ") + show(s.frames[k]) + (s.frames[k + 1] ? " " + show(s.frames[k + 1]) : ""));
  const lines = frames.flatMap((f, k) => k ? [element("br"), f] : [f]);
  box.replaceChildren(element("h2", "Schedule " + s.id), rows(element("dl"), [
    ["Constraint", s.status === "false" ? "false" : `${s.status}: ${show(s.constraint)}`],
    ["Order", `${s.order === "hb" ? "happens-before" : "total"}, from ${show(s.from)}`],
    ["Origin", [s.origin, s.run, s.end].filter(Boolean).map(show).join(", ")],
    ["Crash", s.crash ? [`t${s.crash - 1} at address ${s.address}`, ...(lines.length ? [element("br"), ...lines] : [])] : ""],
    ["Size", `${count(s.events, "event")}, ${count(s.threads, "thread")}`],
    ["Scheduled", share === 1 ? "all operations" : (100 * share).toFixed(1) + " % of the operations"],
    ["Complete", s.complete ? "" : "no, the run was cut short"],
    ["Excluded", data.excluded.map(show).join(", ")],
    ["Module", show(data.module)],
  ]));
}

function legend() {
  const used = new Set(m.s.ops.map(o => o[1])), list = $("legend");
  list.replaceChildren();
  const add = (text, ...parts) => {
    const picture = svg("svg", {width: 22, height: 16}), li = element("li");
    picture.append(...parts);
    li.append(picture, text);
    list.append(li);
  };
  const mark = (family, hollow) => {
    const p = svg("path", {class: "mark" + (hollow ? " hollow" : ""), d: SHAPES[family](11, 8, 4.5)});
    p.style.setProperty("--family", `var(--${family})`);
    return p;
  };
  for (const f of FAMILIES) if (used.has(f)) add({other: "not modelled", call: "call, return"}[f] || f, mark(f, OPEN[f]));
  const roles = new Set(m.s.ops.map(o => o[2]));
  if (roles.has(DROPS)) add("released", mark("mutex", true));
  if (m.s.ops.some(o => o[3] && o[3] !== "serial" && o[3] !== "ran")) add("did not succeed", svg("path", {class: "bad", d: SHAPES.thread(11, 8, 6)}));
  if (m.held.length) add("held", svg("path", {class: "held", d: "M4 0h14v16h-14z"}));
  if (m.s.order === "hb" && m.credit.includes(1)) add("happens before", svg("path", {class: "edge", d: "M1 8h20"}));
  if (m.s.order === "hb" && m.credit.includes(0)) add("only ordered", svg("path", {class: "edge order", d: "M1 8h20"}));
  if (m.generations.length) add("meet", svg("path", {class: "meets", d: "M1 8h20"}));
  if (!m.n) return;
  add("before selected", svg("path", {class: "before", d: "M11 0v16"}));
  add("after selected", svg("path", {class: "after", d: "M11 0v16"}));
}

// Search: every word must be in the operation, the object, the site, the place or the thread. A word that ends
// in a digit does not match a longer number: app.c:4 is not app.c:41.
function matcher(word) {
  const digit = /\d$/.test(word);
  return text => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const next = text.charCodeAt(at + word.length);
      if (!digit || !(next >= 48 && next <= 57)) return true;
    }
    return false;
  };
}
function search(text) {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(word => {
    const has = matcher(word), yes = s => s && has(show(s).toLowerCase()) ? 1 : 0;
    const sites = [0];
    for (let k = 0; k < data.sites.length; k += 2) sites.push(yes(data.sites[k]) | yes(data.sites[k + 1]));
    return {op: m.s.ops.map(o => yes(o[0]) | yes(o[1]) | yes(o[3]) | yes(o[4])), sites,
            objects: [0, ...m.s.objects.map(o => yes(o[0]) | yes(o[2]))],
            threads: m.s.routines.map((r, t) => yes("t" + t) | yes(r)), other: m.s.routines.map((r, t) => yes("t" + t))};
  });
  const list = [];
  for (let i = 0; tests.length && i < m.n; ++i) {
    const waits = role_of(i) === LEAVES || role_of(i) === RETAKES;
    if (tests.every(t => t.op[m.op[i]] || t.sites[m.site[i]] || t.objects[m.object[i]] || t.threads[m.thread[i]] ||
        (m.other[i] && (waits ? t.objects[m.other[i]] : t.other[m.other[i] - 1])))) list.push(i);
  }
  found = Int32Array.from(list);
  at_match = -1;
  say_matches();
  draw_overview();
  redraw();
}
function say_matches() {
  const asking = $("search").value.trim() !== "";
  $("matches").textContent = !asking ? "" : !found.length ? "none" : at_match < 0 ? count(found.length, "match", "matches") :
    `${(at_match + 1).toLocaleString("en")} of ${found.length.toLocaleString("en")}`;
  $("previous").disabled = $("next").disabled = !found.length;
}
function step_match(by) {
  if (!found.length) return;
  if (at_match < 0 && pin >= 0) at_match = by > 0 ? found.findIndex(i => i > pin) : found.findLastIndex(i => i < pin);
  else at_match = at_match < 0 ? (by > 0 ? 0 : found.length - 1) : at_match + by;
  at_match = (at_match + found.length) % found.length;
  say_matches();
  select(found[at_match]);
  reveal(found[at_match]);
}

// The event that is meant by a point of the picture, -1 if none is near.
function hit(x, y) {
  const t = Math.floor((x - view.axis + view.left) / view.lane);
  if (x < view.axis || t < 0 || t >= m.threads || !m.lanes[t].length) return -1;
  const lane = m.lanes[t], row = view.top + y / view.row - .5, k = first_in(lane, row);
  const near = [lane[k - 1], lane[k]].filter(i => i !== undefined)
    .reduce((a, b) => Math.abs(m.row[a] - row) <= Math.abs(m.row[b] - row) ? a : b);
  return Math.abs(m.row[near] - row) * view.row <= Math.max(8, view.row / 2) ? near : -1;
}
function hover(i, x, y) {
  const tip = $("tip");
  if (i !== over) over = i, redraw();
  tip.hidden = i < 0;
  if (i < 0) return;
  tip.textContent = [`#${i}  ${thread_name(m.thread[i])}`, title(i), site_of(i), place_of(i)].filter(Boolean).join("\n");
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(2, x + 14 + w > view.width ? x - w - 14 : x + 14) + "px";
  tip.style.top = Math.max(HEAD + 2, Math.min(y + HEAD + 12, view.height + HEAD - h - 4)) + "px";
}

function on_pointer() {
  const d = $("diagram"), down = new Map();
  let moved = 0, apart = 0;
  const point = e => {
    const box = d.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top - HEAD];
  };
  const overview = y => {
    view.top = y / view.height * Math.max(m.rows, view.height / view.row) - view.height / view.row / 2;
    redraw();
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  d.addEventListener("pointerdown", e => {
    if (e.button) return;
    const [x, y] = point(e);
    down.set(e.pointerId, {x, y, overview: x > view.width});
    moved = 0;
    d.setPointerCapture(e.pointerId);
    if (x > view.width) overview(y);
    if (down.size === 2) apart = spread();
    hover(-1);
  });
  d.addEventListener("pointermove", e => {
    const [x, y] = point(e), from = down.get(e.pointerId);
    if (!from) return hover(x < view.width && y > 0 ? hit(x, y) : -1, x, y);
    if (from.overview) return overview(y);
    moved += Math.abs(x - from.x) + Math.abs(y - from.y);
    if (down.size === 1) move(from.x - x, from.y - y);
    from.x = x, from.y = y;
    if (down.size === 2) {
      const now = spread();
      zoom(now / apart, [...down.values()].reduce((s, p) => s + p.y / 2, 0));
      apart = now;
    }
    d.classList.toggle("moving", moved > 4);
  });
  const up = e => {
    const from = down.get(e.pointerId);
    down.delete(e.pointerId);
    d.classList.remove("moving");
    if (!from || from.overview || moved > 4 || e.type !== "pointerup") return;
    const i = hit(from.x, from.y);
    select(i === pin ? -1 : i);
  };
  d.addEventListener("pointerup", up);
  d.addEventListener("pointercancel", up);
  d.addEventListener("pointerleave", () => hover(-1));
  d.addEventListener("dblclick", e => {
    const [x, y] = point(e);
    if (x < view.width) zoom(Math.max(1, 18 / view.row), y);
  });
  d.addEventListener("wheel", e => {
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 18 : e.deltaMode === 2 ? view.height : 1, [, y] = point(e);
    hover(-1);
    if (e.ctrlKey || e.metaKey) zoom(Math.exp(-e.deltaY * unit / (e.deltaMode ? 100 : 300)), y);
    else if (e.shiftKey && !e.deltaX) move(e.deltaY * unit, 0);
    else move(e.deltaX * unit, e.deltaY * unit);
  }, {passive: false});
}

function walk(key) {
  if (!m.n) return;
  let i = pin;
  const middle = view.top + view.height / 2 / view.row;
  if (i < 0) {
    const near = m.lanes.filter(l => l.length).map(l => l[Math.min(l.length - 1, first_in(l, middle))]);
    i = near.reduce((a, b) => Math.abs(m.row[a] - middle) <= Math.abs(m.row[b] - middle) ? a : b);
  } else if (key === "ArrowDown") i = m.next[i] >= 0 ? m.next[i] : i;
  else if (key === "ArrowUp") i = m.prev[i] >= 0 ? m.prev[i] : i;
  else {
    const by = key === "ArrowLeft" ? -1 : 1;
    let t = m.thread[i] + by;
    while (t >= 0 && t < m.threads && !m.lanes[t].length) t += by;
    if (t < 0 || t >= m.threads) return;
    const lane = m.lanes[t];
    i = lane[Math.min(lane.length - 1, first_in(lane, m.row[i]))];
  }
  select(i);
  reveal(i);
}
const KEYS = {
  "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), "0": () => set_rows(0), "1": () => set_rows(18),
  PageUp: () => move(0, -.9 * view.height), PageDown: () => move(0, .9 * view.height),
  Home: () => (view.top = 0, redraw()), End: () => (view.top = m.rows, redraw()),
  ArrowUp: walk, ArrowDown: walk, ArrowLeft: walk, ArrowRight: walk,
  Escape: () => select(-1), n: () => step_match(1), N: () => step_match(-1), "/": () => $("search").focus(),
};
function on_keys() {
  document.addEventListener("keydown", e => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName), act = KEYS[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey || !act || typing || !m) return;
    if (/^(Arrow|Page|Home|End)/.test(e.key) && e.target.closest("aside")) return;
    e.preventDefault();
    act(e.key);
  });
  $("search").addEventListener("keydown", e => {
    if (e.key === "Enter") step_match(e.shiftKey ? -1 : 1);
    if (e.key === "Escape") $("diagram").focus();
  });
}

function open_schedule(k, event = -1) {
  load(data.schedules[k]);
  pin = over = -1, relation = null;
  place($("early").checked);
  measure();
  $("facts").textContent = `schedule ${m.s.id}: ${count(m.n, "event")} of ${count(m.threads, "thread")}, constraint ${m.s.status}` +
    (m.s.complete ? "" : ", incomplete");
  $("empty").hidden = m.n > 0;
  $("empty").textContent = "This schedule has no events.";
  about();
  legend();
  search($("search").value);
  view.left = view.top = 0;
  view.row = m.rows > 2000 ? 0 : Math.min(26, Math.max(18, view.height / Math.max(1, m.rows)));
  select(event >= 0 && event < m.n ? event : -1);
  if (pin >= 0) limit(), reveal(pin);
}

function start() {
  $("program").textContent = show(data.program);
  document.title = "Schedules of " + show(data.program);
  if (!data.schedules.length) {
    $("facts").textContent = "no schedules";
    $("controls").hidden = true;
    $("main").replaceChildren(element("p", "This file holds no schedules yet. specialize record adds one for each run.", {className: "empty"}));
    $("main").firstChild.style.margin = "auto";
    return;
  }
  const choice = $("schedule");
  $("which").hidden = data.schedules.length < 2;
  data.schedules.forEach((s, k) => choice.append(new Option(`${s.id}: ${s.status}, ${count(s.events, "event")}`, k)));
  choice.onchange = () => open_schedule(+choice.value);
  $("in").onclick = () => zoom(1.5), $("out").onclick = () => zoom(1 / 1.5);
  $("fit").onclick = KEYS["0"], $("rows").onclick = KEYS["1"];
  $("next").onclick = () => step_match(1), $("previous").onclick = () => step_match(-1);
  $("search").oninput = () => search($("search").value);
  $("early").onchange = () => {
    place($("early").checked);
    draw_overview();
    if (pin >= 0) view.top = m.row[pin] - view.height / 2 / view.row;
    redraw();
  };
  on_pointer();
  on_keys();
  const [id, event] = location.hash.slice(1).split(":").map(Number);
  const k = Math.max(0, data.schedules.findIndex(s => s.id === id));
  choice.value = k;
  open_schedule(k, event);
  new ResizeObserver(() => (measure(), draw_overview(), redraw())).observe($("diagram"));
}
start();
