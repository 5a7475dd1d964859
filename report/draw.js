// The diagram: threads are columns, time goes down. Only what is visible is drawn, as one path for all marks
// of a kind; when marks would run into each other, each column becomes a histogram.
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
  access: (x, y, r) => `M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`,
  other: (x, y, r) => `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`,
};
const FAMILIES = Object.keys(SHAPES);
const OPEN = {futex: 1, call: 1, access: 1, other: 1};

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
  view.lane = Math.min(280, Math.max(84, (view.width - view.axis) / m.threads));
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
