// What the page knows: the schedules of the JSON as columns, what is found out about them, their words.
const TAKES = 1, DROPS = 2, RETAKES = 3, LEAVES = 4, OPENS = 5, CLOSES = 6, ARRIVES = 7, DEPARTS = 8, CALLS_BACK = 9;  // as in html.c

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
