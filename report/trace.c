// A Chrome trace (the "Trace Event Format", JSON): a process per schedule, a track per thread, one tick of a
// microsecond per event of the total order. What an event waits for is a flow that ends at it; departing
// from a barrier is drawn as waiting for the last that arrived.
#include "report.h"
#include "summary.h"
#include "words.h"

typedef struct {
  uint32_t from, to;
  const char *kind;
} Flow;

typedef struct {
  const Sigma *s;
  const Order *o;
  const Schedule *c;
  uint32_t pid;
  Json j;
  uint32_t *ends;     // by CALL and CALLBACK: the last event in it
  Vec(Flow) flows;    // by `to`
  uint32_t *leaving;  // flows by `from`
  uint64_t flow_id;   // of the first flow: ids are unique in the file
} Track;

static void begin(Track *t, const char *ph, const char *name, const char *category) {
  t->j.lines = true;
  json_open(&t->j, '{');
  t->j.lines = false;
  json_key(&t->j, "ph"), json_text(&t->j, ph);
  json_key(&t->j, "pid"), json_number(&t->j, t->pid);
  json_key(&t->j, "name"), json_text(&t->j, name);
  if (category) json_key(&t->j, "cat"), json_text(&t->j, category);
}

static void put_at(Track *t, uint32_t event) {
  json_key(&t->j, "tid"), json_number(&t->j, t->c->events.at[event].thread + 1);
  json_key(&t->j, "ts"), json_number(&t->j, event);
}

static void put_name(Track *t, const char *what, const uint32_t *tid, const char *name) {
  begin(t, "M", what, NULL);
  if (tid) json_key(&t->j, "tid"), json_number(&t->j, *tid + 1);
  json_key(&t->j, "args"), json_open(&t->j, '{');
  json_key(&t->j, "name"), json_text(&t->j, name);
  json_close(&t->j, '}');
  json_close(&t->j, '}');
}

static void put_names(Track *t) {
  char *process = mem_format("%s schedule %u", sigma_text(t->s, t->s->program), (unsigned)t->pid - 1);
  put_name(t, "process_name", NULL, process);
  mem_free(process);
  uint32_t *routines = thread_routines(t->c);
  for (uint32_t i = 0; i < t->c->threads; ++i) {
    const char *routine = sigma_text(t->s, routines[i]);
    char *name = mem_format("t%u %s", (unsigned)i, routine ? routine : i ? "" : "main");
    put_name(t, "thread_name", &i, name);
    mem_free(name);
  }
  mem_free(routines);
}

static uint32_t last_arrival(const Track *t, uint32_t event) {
  const uint32_t *arrivals;
  uint32_t generation = order_generation(t->o, event), last = SIGMA_NONE;
  if (generation == SIGMA_NONE || t->c->events.at[event].phase != EVENT_DEPART) return SIGMA_NONE;
  for (size_t i = order_arrivals(t->o, generation, &arrivals); i--;)
    if (last == SIGMA_NONE || arrivals[i] > last) last = arrivals[i];
  return last == SIGMA_NONE || t->c->events.at[last].thread == t->c->events.at[event].thread ? SIGMA_NONE
                                                                                             : last;
}

static void find_flows(Track *t) {
  uint32_t n = (uint32_t)t->c->events.len, *end = mem_array(n + 1, sizeof *end);
  for (uint32_t i = 0; i < n; ++i) {
    const OrderWait *waits;
    size_t count = order_waits(t->o, i, &waits);
    for (size_t k = 0; k < count; ++k)
      vec_push(&t->flows, ((Flow){waits[k].event, i, waits[k].credit ? "happens-before" : "order"}));
    uint32_t last = last_arrival(t, i);
    if (last != SIGMA_NONE) vec_push(&t->flows, ((Flow){last, i, "barrier"}));
  }
  for (vec_each(i, &t->flows)) ++end[t->flows.at[i].from + 1];
  for (uint32_t i = 0; i < n; ++i) end[i + 1] += end[i];
  t->leaving = mem_array(t->flows.len, sizeof *t->leaving);
  for (uint32_t i = 0; i < t->flows.len; ++i) t->leaving[end[t->flows.at[i].from]++] = i;
  mem_free(end);
}

// A call that nothing leaves lasts to the last event of its thread. A callback ends before what goes on
// outside of it.
static void find_ends(Track *t) {
  uint32_t n = (uint32_t)t->c->events.len, *open = mem_array(t->c->threads, sizeof *open);
  t->ends = mem_array(n, sizeof *t->ends);
  for (uint32_t i = 0; i < t->c->threads; ++i) open[i] = SIGMA_NONE;
  for (uint32_t i = 0; i < n; ++i) {
    const Event *e = &t->c->events.at[i];
    uint32_t *in = &open[e->thread], outer = order_path(t->o, i);
    bool opens = e->kind == EVENT_CALL || e->kind == EVENT_CALLBACK;
    if (*in != outer) t->ends[*in] = i - 1, *in = outer;
    t->ends[i] = opens ? order_event(t->o, e->thread, order_count(t->o, e->thread) - 1) : i;
    if (opens) *in = i;
    if (e->kind != EVENT_RET && e->kind != EVENT_UNWIND) continue;
    t->ends[outer] = i;
    *in = order_path(t->o, outer);
  }
  mem_free(open);
}

static void put_flow(Track *t, uint32_t flow, bool starts) {
  const Flow *f = &t->flows.at[flow];
  begin(t, starts ? "s" : "f", f->kind, f->kind);
  put_at(t, starts ? f->from : f->to);
  json_key(&t->j, "id"), json_number(&t->j, t->flow_id + flow);
  if (!starts) json_key(&t->j, "bp"), json_text(&t->j, "e");
  json_close(&t->j, '}');
}

static void put_args(Track *t, uint32_t event) {
  const Event *e = &t->c->events.at[event];
  json_key(&t->j, "args"), json_open(&t->j, '{');
  json_key(&t->j, "event"), json_number(&t->j, event);
  if (event_result(e)) json_key(&t->j, "outcome"), json_text(&t->j, event_result(e));
  uint32_t name;
  if (event_name(t->s, e, &name)) {
    Bytes place = {0};
    json_key(&t->j, "site"), json_text(&t->j, sigma_text(t->s, name));
    if (put_event_place(t->s, e, &place)) json_key(&t->j, "at"), json_bytes(&t->j, &place);
    vec_free(&place);
  }
  json_close(&t->j, '}');
}

// What leaves a call is the end of its slice, not one of its own.
static void put_slice(Track *t, uint32_t event) {
  const Event *e = &t->c->events.at[event];
  Bytes name = {0};
  if (e->kind == EVENT_RET || e->kind == EVENT_UNWIND) return;
  event_word_print(e, &name);
  put(&name, " ");
  put_operands(t->s, t->c, e, &name);
  if (e->kind == EVENT_CALL) put_shown(&name, sigma_text(t->s, t->s->sites.at[e->site].name));
  if (vec_last(&name) == ' ') --name.len;
  vec_push(&name, 0);
  begin(t, "X", (const char *)name.at, event_family_word(t->c, e));
  put_at(t, event);
  json_key(&t->j, "dur"), json_number(&t->j, t->ends[event] - event + 1);
  put_args(t, event);
  json_close(&t->j, '}');
  vec_free(&name);
}

static void put_trace(Track *t) {
  uint32_t leaves = 0, arrives = 0;
  find_ends(t);
  find_flows(t);
  put_names(t);
  for (uint32_t i = 0; i < t->c->events.len; ++i) {
    put_slice(t, i);
    for (; arrives < t->flows.len && t->flows.at[arrives].to == i; ++arrives) put_flow(t, arrives, false);
    for (; leaves < t->flows.len && t->flows.at[t->leaving[leaves]].from == i; ++leaves)
      put_flow(t, t->leaving[leaves], true);
  }
  mem_free(t->ends);
  mem_free(t->leaving);
}

void report_trace(const Shown *s, Bytes *out) {
  Track t = {.s = s->sigma, .j = {.out = out}};
  json_open(&t.j, '{');
  json_key(&t.j, "otherData"), json_open(&t.j, '{');
  put_sigma_fields(s->sigma, &t.j);
  json_close(&t.j, '}');
  json_key(&t.j, "traceEvents"), json_open(&t.j, '[');
  for (uint32_t i = 0; i < s->count; ++i) {
    t.o = s->orders[i];
    t.c = order_schedule(t.o);
    t.pid = s->first + i + 1;  // 0 is the idle process to Perfetto, as is thread 0
    put_trace(&t);
    t.flow_id += t.flows.len;
    vec_free(&t.flows);
  }
  json_close(&t.j, ']');
  json_close(&t.j, '}');
  vec_push(out, '\n');
}
