// Findings: a list that is grouped and filtered, and the one that is chosen. finding_html.c writes the data.
const STATUSES = ["replayed", "possible", "refuted", "benign", "suppressed"];
const SOON = {replayed: true, possible: true};
const races = data.races;

// Words.
const base = file => show(file).replace(/.*\//, "");
const place = (f, short) => f.file ? (short ? base(f.file) : show(f.file)) + (f.line ? ":" + f.line + (!short && f.column ? ":" + f.column : "") : "") :
  f.library ? "(" + show(f.library) + ")" : f.site ? show(f.site) : "(unknown place)";
const does = s => (s.atomic ? "atomic " : "") + (s.free ? "free" : s.access);
const thread = t => t === null ? "" : t ? "T" + t : "main";
const who = s => (s.thread ? "thread T" + s.thread : "main thread") + (s.routine ? " " + show(s.routine) : "");
const name_of = r => r.object === null ? "(unnamed)" : show(r.object);
const headline = r => r.rule === "race" ? "Data race" : capital(show(r.rule));
const capital = s => s[0].toUpperCase() + s.slice(1);
function words_of(r) {
  const frames = s => [s, ...s.stack].flatMap(f => [f.file ? f.file + ":" + f.line : "", f.function]);
  return [r.rule, r.state, r.object, does(r.a), does(r.b), "t" + r.a.thread, "t" + r.b.thread, r.a.routine, r.b.routine, ...frames(r.a), ...frames(r.b)]
    .filter(Boolean).join("\n");
}
const SEEN = {
  "never-ran": "in a run: one side did not run", "never-met": "in a run: never the same byte, unordered",
  atomics: "in a run: the same byte, ordered by atomic operations only", unordered: "in a run: the same byte, unordered",
};
races.forEach((r, k) => {
  r.index = k;
  r.state = r.suppressed ? "suppressed" : r.status;
  r.text = words_of(r).toLowerCase();
});
const present = STATUSES.filter(s => races.some(r => r.state === s));
const shown = new Set(present.filter(s => SOON[s]).length ? present.filter(s => SOON[s]) : present);
let visible = [], chosen = null;

const with_status = (e, s) => (e.style.setProperty("--status", `var(--${s})`), e);
const dot = s => with_status(element("span", "", {className: "dot"}), s);

// A word that ends in a digit does not match a longer number: racy.c:5 is not racy.c:57.
function has(text, word) {
  const digit = /\d$/.test(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!digit || !/\d/.test(text[at + word.length] || "")) return true;
  return false;
}
const files_of = r => [...new Set([r.a.file, r.b.file].filter(Boolean))];

function filter() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const file = $("file").value, object = $("object").value;
  return races.filter(r => shown.has(r.state) && (!file || files_of(r).includes(races_files[file - 1])) &&
    (!object || r.object === races_objects[object - 1]) && (!$("fresh").checked || !r.known) && words.every(w => has(r.text, w)));
}
const GROUPS = {
  object: r => name_of(r), file: r => files_of(r).map(show).join(" and ") || "(unknown file)",
  status: r => r.state, function: r => r.a.function ? show(r.a.function) : "(unknown function)",
};

function draw_list() {
  const list = $("list"), groups = new Map(), key = GROUPS[$("group").value];
  for (const r of filter()) {
    const k = key(r);
    groups.has(k) ? groups.get(k).push(r) : groups.set(k, [r]);
  }
  visible = [...groups.values()].flat();
  list.replaceChildren(...[...groups].map(([k, all]) => {
    const box = element("div"), head = element("h2", k);
    box.setAttribute("role", "group"), box.setAttribute("aria-label", k);
    head.append(element("span", all.length));
    box.append(head, ...all.map(item));
    return box;
  }));
  if (!visible.length) list.append(element("p", "No finding matches the filter. Press Escape to clear it.", {className: "empty"}));
  const filtered = visible.length !== races.length;
  $("matches").textContent = filtered ? `${visible.length.toLocaleString("en")} of ${races.length.toLocaleString("en")}` : "";
  if (visible.length && !visible.includes(chosen)) choose(visible[0], false);
  else mark();
}
function item(r) {
  const e = element("div", undefined, {className: "item" + (SOON[r.state] && !r.known ? "" : " judged"), id: "r" + r.index, title: r.state});
  e.setAttribute("role", "option");
  const pair = element("span", `${does(r.a)} ${place(r.a, true)} / ${does(r.b)} ${place(r.b, true)}`, {className: "pair mono"});
  const more = [...new Set([r.a.function, r.b.function].filter(Boolean).map(show))].join(", ");
  e.append(dot(r.state), pair, element("span", [$("group").value === "object" ? "" : name_of(r), more, r.known ? "known" : ""].filter(Boolean).join(" \u00b7 "), {className: "more"}));
  e.onclick = () => choose(r);
  return e;
}
function mark() {
  for (const e of document.querySelectorAll(".item[aria-selected=true]")) e.setAttribute("aria-selected", "false");
  const e = chosen && $("r" + chosen.index);
  $("list").setAttribute("aria-activedescendant", e ? e.id : "");
  if (!e) return;
  e.setAttribute("aria-selected", "true");
  const list = $("list"), box = e.getBoundingClientRect(), frame = list.getBoundingClientRect(), head = 34;
  if (box.top < frame.top + head) list.scrollTop += box.top - frame.top - head;
  if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom;
}
function choose(r, link = true) {
  chosen = r;
  draw_finding(r);
  mark();
  try { if (link) history.replaceState(null, "", "#" + r.id); } catch { /* about: pages have no history */ }
}

// Source.
function line_text(file, line) {
  for (const [first, ...lines] of data.sources[file] || []) if (line >= first && line < first + lines.length) return lines[line - first];
  return null;
}
function code(f, around) {
  if (!f.file || !f.line || line_text(f.file, f.line) === null)
    return element("p", f.file ? "The source is not at hand." : "No source line is known.", {className: "none"});
  const box = element("div", undefined, {className: "code", tabIndex: 0});
  box.setAttribute("role", "region"), box.setAttribute("aria-label", "Source of " + place(f));
  for (let n = Math.max(1, f.line - around); n <= f.line + around; ++n) {
    const text = line_text(f.file, n);
    if (text === null) continue;
    const row = element("div", undefined, {className: n === f.line ? "hot" : ""});
    row.append(element("i", n));
    n === f.line ? row.append(...marked(text, f.column)) : row.append(source(text));
    box.append(row);
  }
  return box;
}
const source = text => show(text.replaceAll("\t", "    "));
// The word that begins in this column; the compiler counts bytes.
function marked(text, column) {
  if (!column) return [source(text)];
  const bytes = new TextEncoder().encode(text), before = new TextDecoder().decode(bytes.slice(0, column - 1)), rest = text.slice(before.length);
  const word = (/^(\w+|[-+*/%&|^<>=!]+|[^\w\s])/u.exec(rest) || [""])[0];
  return word ? [source(before), element("mark", source(word)), source(rest.slice(word.length))] : [source(text)];
}

// One side of the pair: what it does, its source, its stack. A click on a frame shows that frame's source.
function side(s, which) {
  const box = element("div", undefined, {className: "side " + which}), head = element("p"), stack = element("ol", undefined, {className: "stack"});
  const locks = s.locks.map(l => (l.shared ? "read " : "") + show(l.name)).join(", ");
  head.append(element("b", capital(does(s)) + (s.bytes && !s.free ? " of " + count(s.bytes, "byte") : "")), " by " + who(s),
    element("span", place(s) + (locks ? ", holding " + locks : ", no lock held"), {className: "where mono"}));
  const frames = s.stack.length ? s.stack : [s];
  let now = code(s.file ? s : frames[0], 5);
  frames.forEach((f, k) => {
    const b = element("button", undefined, {type: "button"}), li = element("li");
    b.append((f.function ? show(f.function) : "(unknown)") + " ", element("span", place(f)));
    if (!k) b.setAttribute("aria-current", "true");
    b.onclick = () => {
      for (const other of stack.querySelectorAll("button")) other.removeAttribute("aria-current");
      b.setAttribute("aria-current", "true");
      const next = code(f, k ? 3 : 5);
      now.replaceWith(next), now = next;
    };
    li.append(b), stack.append(li);
  });
  box.append(head, now, stack);
  return box;
}

function copied(text) {
  const box = element("span", undefined, {className: "copy"}), button = element("button", "Copy", {type: "button"}), what = element("code", show(text));
  button.onclick = () => {
    getSelection().selectAllChildren(what);
    const done = () => (button.textContent = "Copied", setTimeout(() => button.textContent = "Copy", 1500));
    navigator.clipboard ? navigator.clipboard.writeText(text).then(done, () => document.execCommand("copy") && done()) : document.execCommand("copy") && done();
  };
  box.append(what, button);
  return box;
}
const quoted = s => /^[\w.,:/@%+=-]+$/.test(s) ? s : "'" + s.replaceAll("'", "'\\''") + "'";
function go(f) {
  const b = element("button", place(f), {type: "button", className: "place"});
  b.onclick = () => look(f);
  return b;
}
function look(f) {
  const head = element("p", (f.function ? show(f.function) + " " : "") + place(f), {className: "mono"});
  $("looked").replaceChildren(head, code(f, 3));
  $("looked").scrollIntoView({block: "nearest"});
}
function frames_list(frames) {
  return frames.flatMap((f, k) => [k ? element("br") : "", f.function ? show(f.function) + " " : "", f.file ? go(f) : place(f)]);
}

function facts(r) {
  const list = element("dl"), m = r.memory;
  const row = (name, ...values) => {
    if (!values.some(v => v !== "" && v !== null)) return;
    const dd = element("dd");
    dd.append(...values.filter(v => v !== null));
    list.append(element("dt", name), dd);
  };
  const kind = {unknown: "", global: "global", heap: "heap block", stack: "stack variable", "thread-local": "thread-local", other: ""}[m.place];
  row("Object", [name_of(r), kind, m.bytes ? count(m.bytes, "byte") : "", m.thread === null ? "" : m.place === "heap" ? "allocated by " + thread(m.thread) : "of " + thread(m.thread)].filter(Boolean).join(", "),
    ...(m.where.length ? [element("br"), ...frames_list(m.where)] : []));
  for (const s of r.a.thread === r.b.thread ? [r.a] : [r.a, r.b])
    if (s.thread) row("Thread T" + s.thread, (s.routine ? show(s.routine) + ", " : "") + (s.creator === null ? "" : "created by " + thread(s.creator)), ...(s.created.length ? [element("br"), ...frames_list(s.created)] : []));
  const seen = new Set();
  for (const l of [...r.a.locks, ...r.b.locks])
    if (!seen.has(l.name) && seen.add(l.name)) row("Mutex", show(l.name) + " ", l.created.file ? go(l.created) : "");
  row("Schedules", r.schedules.join(", ") + (data.examined.length > 1 ? ` (of ${data.examined.length} examined)` : ""));
  row("Input", r.input === null ? "" : copied(r.input), r.recorded === null ? "" : element("span", "computed; with the recorded one they cannot meet: " + show(r.recorded), {className: "soft"}), r.stdin === null ? "" : element("span", "standard input: " + show(r.stdin), {className: "soft"}));
  row("Reproduce", r.witness === null ? "" : copied(`specialize replay ${quoted(data.program || "APP")} ${quoted(r.witness)}`));
  row("Also", r.merged ? count(r.merged, "more pair") + " of the same places" + (r.also === null ? "" : ", on " + show(r.also)) : "");
  return list;
}

function draw_finding(r) {
  const box = $("finding"), title = element("h2"), status = with_status(element("span", r.status, {className: "status"}), r.status);
  title.append(`${headline(r)} on ${name_of(r)}`);
  const line = element("p", undefined, {className: "why"});
  line.append(status, r.followed ? "; then " + show(r.followed) : "");
  if (r.seen !== "unwatched") line.append(element("span", SEEN[r.seen], {className: "chip"}));
  if (data.baseline) line.append(element("span", r.known ? "in the baseline" : "new", {className: "chip"}));
  if (r.suppressed) line.append(element("span", "suppressed by " + show(r.suppressed), {className: "chip"}));
  if (r.why) line.append(element("br"), show(r.why));
  const sides = element("div", undefined, {className: "sides"});
  sides.append(side(r.a, "a"), ...(!r.threads || r.threads.length > 1 ? [side(r.b, "b")] : []));
  box.replaceChildren(title, line, ...(r.threads ? [draw_ring(r)] : []), sides);
  if (r.steps.length) {
    box.append(element("h3", `${r.threads ? "An order that leads there" : "An order that the schedule allows"}${r.earlier ? `, without its first ${count(r.earlier, "event")}` : ""}`));
    const space = element("div", undefined, {id: "space", tabIndex: 0});
    space.setAttribute("role", "img"), space.setAttribute("aria-label", describe(r));
    box.append(space);
    draw_space(r, space);
    space.scrollTop = space.scrollHeight;
    const middle = middle_of_pair(space);
    space.scrollLeft = middle > space.clientWidth * 0.75 ? middle - space.clientWidth / 2 : 0;
  }
  box.append(element("div", undefined, {id: "looked"}), element("h3", "Facts"), facts(r));
  box.scrollTop = 0;
}
// Who waits for whom: threads on a circle, an arrow from each to the one that keeps what it wants.
const WAITS = {lock: "to lock ", "read-lock": "to read-lock ", join: "for the end of ", wait: "to be woken at ", barrier: "at ", semaphore: "for "};
const waits_words = t => "waits " + (WAITS[t.waits.does] || "for ") + show(t.waits.object);
function draw_ring(r) {
  const n = r.threads.length, radius = n < 2 ? 0 : Math.max(70, 26 * n), side_room = 300, height = 2 * radius + 110, width = 2 * (radius + side_room);
  const at = k => ({x: width / 2 + radius * Math.sin(2 * Math.PI * k / n), y: height / 2 - radius * Math.cos(2 * Math.PI * k / n)});
  const picture = svg("svg", {class: "ring", viewBox: `0 0 ${width} ${height}`, width, height, role: "img"}), about = svg("title");
  about.textContent = r.threads.map(t => `${thread(t.thread)} ${waits_words(t)}`).join("; ");
  picture.append(about);
  r.threads.forEach((t, k) => {
    if (t.waits.on === null || t.waits.on === k) return;
    const p = at(k), q = at(t.waits.on), d = Math.hypot(q.x - p.x, q.y - p.y), ux = (q.x - p.x) / d, uy = (q.y - p.y) / d, bend = n === 2 ? 26 : 0;
    const a = {x: p.x + 20 * ux - bend / 4 * uy, y: p.y + 20 * uy + bend / 4 * ux}, b = {x: q.x - 22 * ux - bend / 4 * uy, y: q.y - 22 * uy + bend / 4 * ux};
    const m = {x: (a.x + b.x) / 2 - bend * uy, y: (a.y + b.y) / 2 + bend * ux};
    picture.append(svg("path", {class: "waits", d: `M${a.x} ${a.y}Q${m.x} ${m.y} ${b.x} ${b.y}`}),
      svg("path", {class: "tip", d: `M${b.x + 6 * ux} ${b.y + 6 * uy}l${-9 * ux - 4 * uy} ${-9 * uy + 4 * ux}l${8 * uy} ${-8 * ux}z`}));
  });
  r.threads.forEach((t, k) => {
    const p = at(k), right = p.x >= width / 2 - 1, name = svg("text", {x: p.x, y: p.y + 4, "text-anchor": "middle", class: "name"});
    name.textContent = thread(t.thread);
    const lines = [waits_words(t) + (t.waits.file ? ", " + place(t.waits, true) : ""), ...t.holds.map(h => "holds " + show(h.object) + (h.file ? ", " + place(h, true) : ""))];
    picture.append(svg("circle", {class: "who", cx: p.x, cy: p.y, r: 18}), name, ...lines.map((words, i) => {
      const e = svg("text", {x: p.x + (right ? 26 : -26), y: p.y + 4 + 15 * (i - (lines.length - 1) / 2), "text-anchor": right ? "start" : "end"});
      e.textContent = words.length > 40 ? words.slice(0, 39) + "\u2026" : words;
      return e;
    }));
  });
  const box = element("div", undefined, {className: "rings"});
  box.append(picture);
  return box;
}
const step_text = (r, s) => s.role === "event" ? show(s.text || "event") : (s.text ? show(s.text) : does(r[s.role]) + " " + name_of(r));
const describe = r => r.steps.slice(-20).map(s => `${thread(s.thread)}: ${step_text(r, s)}`).join("; ");

// Threads are columns, time goes down; only threads that take part have one.
const ROW = 22, HEAD = 26;
function draw_space(r, box) {
  const threads = [...new Set(r.steps.map(s => s.thread))].sort((a, b) => a - b), column = new Map(threads.map((t, k) => [t, k]));
  const wide = Math.max(280, box.clientWidth), axis = 16 + 7 * String(r.earlier + r.steps.length).length;
  const lane = Math.max(wide < 500 ? 106 : 140, Math.floor((wide - axis - 4) / threads.length));
  const width = axis + lane * threads.length, height = ROW * r.steps.length + 12;
  const x = t => axis + lane * column.get(t) + 14, y = k => 4 + ROW * k + ROW / 2;
  const picture = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`}), put = (...parts) => picture.append(...parts);
  const heads = svg("svg", {class: "heads", width, height: HEAD});
  const text = (at_x, at_y, words, className, more = {}) => {
    const t = svg("text", {x: at_x, y: at_y + 4, class: className, ...more});
    t.textContent = words;
    return t;
  };
  const room = Math.floor((lane - 34) / 7.4), cut = (s, n) => s.length > n ? s.slice(0, Math.max(1, n - 1)) + "\u2026" : s;
  for (const t of threads) {
    const mine = r.steps.flatMap((s, k) => s.thread === t ? [k] : []), routine = [r.a, r.b].find(s => s.thread === t)?.routine;
    heads.append(text(x(t) - 6, HEAD / 2, cut((t ? "T" + t : "main") + (t && routine ? " " + show(routine) : ""), room + 2), "head"));
    put(svg("path", {class: "lane", d: `M${x(t)} 0V${height}`}),
      svg("path", {class: "lane on", d: `M${x(t)} ${y(mine[0])}V${y(mine[mine.length - 1])}`}));
  }
  const pair = ["a", "b"].map(role => r.steps.findIndex(s => s.role === role));
  r.waits.forEach(([from, to]) => draw_wait(r, put, x, y, from, to));
  if (pair.every(k => k >= 0)) draw_clash(r, put, x, y, pair);
  r.steps.forEach((s, k) => put(...draw_step(r, s, k, {x, y, text, cut, room, axis, width})));
  picture.append(...r.steps.map((s, k) => {
    const row = svg("rect", {class: "row", x: 0, y: y(k) - ROW / 2, width, height: ROW}), tip = svg("title");
    tip.textContent = [`${thread(s.thread)}: ${step_text(r, s)}`, s.function ? show(s.function) : "", s.file ? place(s) : ""].filter(Boolean).join("\n");
    row.append(tip);
    row.onclick = () => {
      for (const other of picture.querySelectorAll(".row.on")) other.classList.remove("on");
      row.classList.add("on");
      look(s.file ? s : s.role === "event" ? s : r[s.role]);
    };
    return row;
  }));
  box.replaceChildren(heads, picture);
}
function middle_of_pair(box) {
  const xs = [...box.querySelectorAll(".racy")].map(e => e.getBBox().x);
  return xs.length === 2 ? (xs[0] + xs[1]) / 2 : 0;
}
function draw_step(r, s, k, at) {
  const x = at.x(s.thread), y = at.y(k), racy = s.role !== "event", words = at.cut(step_text(r, s), at.room);
  const mark = racy ? svg("path", {class: "racy " + s.role, d: `M${x} ${y - 7}l7 7l-7 7l-7 -7z`}) : svg("circle", {class: "event", cx: x, cy: y, r: 4});
  const where = s.file ? place(s, true) : "", fits = at.room - words.length - 2 >= where.length ? where : "";
  const letters = words.length + (fits ? fits.length + 1.5 : 0);
  return [svg("rect", {class: "plate", x: x + 13, y: y - 8, width: 7.4 * letters + 3, height: 16}), mark,
          at.text(at.axis - 10, y, r.earlier + k, "number", {"text-anchor": "end"}),
          at.text(x + 15, y, words, racy ? "racy-text " + s.role : ""),
          ...(fits ? [at.text(x + 15 + 7.4 * (words.length + 1.5), y, fits, "at")] : [])];
}
function draw_wait(r, put, x, y, from, to) {
  const p = x(r.steps[from].thread), q = x(r.steps[to].thread), way = p < q ? 1 : -1, a = y(from), b = y(to);
  const start = p + 6 * way, end = q - 10 * way, bend = (end - start) / 2;
  put(svg("path", {class: "wait", d: `M${start} ${a}C${start + bend} ${a} ${end - bend} ${b} ${end} ${b}`}),
    svg("path", {class: "tip", d: `M${end + 5 * way} ${b}l${-7 * way} -3.5v7z`}));
}
function draw_clash(r, put, x, y, [a, b]) {
  const p = x(r.steps[a].thread), q = x(r.steps[b].thread);
  put(svg("path", {class: "clash", d: `M${p} ${y(a)}L${q} ${y(b)}`}));
}

// Controls.
const races_files = [...new Set(races.flatMap(files_of))].sort(), races_objects = [...new Set(races.map(r => r.object))].sort();
function fill(id, names, any) {
  $(id).append(new Option(any, ""), ...names.map((n, k) => new Option(n === null ? "(unnamed)" : show(n), k + 1)));
  $(id).onchange = draw_list;
}
function draw_statuses() {
  $("statuses").replaceChildren(...present.map((s, k) => {
    const b = element("button", undefined, {type: "button", title: `Show or hide what is ${s} (${k + 1})`});
    b.setAttribute("aria-pressed", shown.has(s));
    b.append(dot(s), `${races.filter(r => r.state === s).length.toLocaleString("en")} ${s}`);
    b.onclick = () => toggle(s);
    return b;
  }));
}
function toggle(s) {
  shown.has(s) ? shown.delete(s) : shown.add(s);
  draw_statuses();
  draw_list();
}
function clear() {
  present.forEach(s => shown.add(s));
  $("search").value = $("file").value = $("object").value = "";
  $("fresh").checked = false;
  draw_statuses();
  draw_list();
}
function walk(by) {
  if (!visible.length) return;
  const at = visible.indexOf(chosen);
  choose(visible[Math.max(0, Math.min(visible.length - 1, at + by))]);
}
const KEYS = {
  ArrowDown: () => walk(1), ArrowUp: () => walk(-1), j: () => walk(1), k: () => walk(-1), Home: () => walk(-races.length), End: () => walk(races.length),
  PageDown: () => walk(10), PageUp: () => walk(-10), "/": () => $("search").focus(), Escape: clear,
  Enter: () => $("finding").focus(), g: () => ($("group").selectedIndex = ($("group").selectedIndex + 1) % $("group").options.length, draw_list()),
};
function on_keys() {
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    const moves = /^(Arrow|Page|Home|End)/.test(e.key), inside = e.target.closest("#finding");
    if ((moves && inside) || (e.key === "Enter" && e.target !== $("list") && e.target !== document.body)) return;
    const status = present[+e.key - 1], act = status ? () => toggle(status) : KEYS[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
  $("search").addEventListener("keydown", e => {
    if (e.key === "Enter" || e.key === "ArrowDown") e.preventDefault(), $("list").focus();
    if (e.key === "Escape") $("search").value = "", draw_list(), $("list").focus();
  });
}

// When there is nothing to list: what was checked, and what that says.
function draw_verdict() {
  const box = element("div", undefined, {className: "verdict " + (data.incomplete.length || !data.examined.length ? "unsure" : "clean")});
  box.append(element("h2", capital(show(data.clean))), element("p", checked_words()));
  if (data.examined.length) box.append(element("p", scope_words() + ". This holds for no other runs."));
  $("controls").hidden = true;
  $("main").replaceChildren(box);
}
// For which runs, threads and code the verdict is; the same as in the text.
function scope_words() {
  const c = data.checked, one = data.examined.length === 1;
  if (!data.examined.length) return "";
  return `Scope: runs that follow ${one ? "schedule " + data.examined[0] : "one of " + count(data.examined.length, "schedule")}; ` +
    (c.unfinished_threads ? `${count(c.unfinished_threads, "thread")} never ended and may run on until the process ends` : "every thread ended") +
    (data.incomplete.length ? `; ${count(data.incomplete.length, "thing")} not examined` : "; no code was left out, and no limit reached");
}

function checked_words() {
  const c = data.checked, share = c.scheduled_share;
  const what = data.deadlocks ? count(c.pairs, "wait") + " for a lock with others held" : count(c.pairs, "pair") + " of accesses";
  return `${what} in ${count(c.schedules, "schedule")}` + (data.sigma ? ` of ${show(data.sigma)}` : "") +
    (share < 1 ? `, ${(100 * share).toFixed(1)} % of the synchronization scheduled` : "");
}

function start() {
  const program = data.program === null ? "" : " in " + show(data.program);
  $("program").textContent = document.title = (data.deadlocks ? "Deadlocks" : "Races") + program;
  const open = races.filter(r => SOON[r.state]).length, fresh = races.filter(r => SOON[r.state] && !r.known).length;
  $("facts").textContent = (open ? count(open, "open finding") + (data.baseline ? `, ${fresh} new` : "") : show(data.clean)) + "; " + checked_words() + ". " + scope_words() + ".";
  $("gaps").hidden = !data.incomplete.length;
  $("gaps").firstElementChild.textContent = `Incomplete: ${count(data.incomplete.length, "thing")} could not be checked`;
  $("gaps").lastElementChild.append(...data.incomplete.map(g => element("li", (g.file ? place(g) + ": " : "") + show(g.text))));
  if (!races.length) return draw_verdict();
  $("only").hidden = !data.baseline;
  $("fresh").onchange = $("group").onchange = $("search").oninput = draw_list;
  fill("file", races_files, "all"), fill("object", races_objects, "all");
  on_keys();
  const wanted = races.find(r => "#" + r.id === location.hash);
  if (wanted) shown.add(wanted.state), chosen = wanted;
  draw_statuses();
  draw_list();
  if (wanted) choose(wanted);
  let wide = $("finding").clientWidth;
  new ResizeObserver(() => {
    if ($("finding").clientWidth !== wide && chosen && $("space")) wide = $("finding").clientWidth, draw_space(chosen, $("space"));
  }).observe($("finding"));
}
start();
