// What a person does: selects, searches, moves. The pointer finds events by calculation, so that no event
// needs an element of its own.
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
               ["Waits for", some(waits)], ["Barrier", some(arrivals(i))], ["Waited for by", some(waited)], ["Releases", some(departures(i))],
               ["Before it", count(relation.before, "event")], ["After it", count(relation.after, "event")],
               ["Unordered with it", neither ? count(neither, "event") : ""],
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
  if (m.s.order === "hb" && m.credit.includes(0)) add("ordered, not happens-before", svg("path", {class: "edge order", d: "M1 8h20"}));
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
