// The page of schedules: page.html and page.css in the frame of base.html. The data is JSON of flat arrays of
// numbers, so that a browser reads 100,000 events at once; model.js says how it is laid out.
#include <inttypes.h>
#include "embed.h"
#include "report.h"
#include "summary.h"
#include "words.h"

EMBED(report_page_html, "page.html");
EMBED(report_page_css, "page.css");
EMBED(report_model_js, "model.js");
EMBED(report_draw_js, "draw.js");
EMBED(report_page_js, "page.js");

// What an event does to the critical sections and calls of its thread.
typedef enum { NOTHING, TAKES, DROPS, RETAKES, LEAVES, OPENS, CLOSES, ARRIVES, DEPARTS, CALLS_BACK } Role;

static bool has_lock(const Event *e) {
  return e->outcome == SYNC_OK || e->outcome == SYNC_OWNERDEAD;
}

static Role role_of(const Event *e) {
  bool arrives = e->phase == EVENT_ARRIVE;
  switch (e->kind) {
    case SYNC_LOCK:
    case SYNC_RDLOCK:
      return has_lock(e) ? TAKES : NOTHING;
    case SYNC_UNLOCK:
      return e->outcome == SYNC_OK ? DROPS : NOTHING;
    case SYNC_WAIT:  // one that fails at once keeps its mutex
      return !arrives ? RETAKES : e->outcome == SYNC_OK ? LEAVES : NOTHING;
    case SYNC_BARRIER:
      return arrives ? ARRIVES : DEPARTS;
    case EVENT_CALL:
      return OPENS;
    case EVENT_RET:
    case EVENT_UNWIND:
      return CLOSES;
    case EVENT_CALLBACK:
      return CALLS_BACK;
    default:
      return NOTHING;
  }
}

// Events that differ only in thread, site, objects and other threads have one operation.
typedef struct {
  Map *known;
  Vec(uint32_t) first;  // an event of each
} Operations;

static uint32_t operation(Operations *ops, const Schedule *c, uint32_t event) {
  const Event *e = &c->events.at[event];
  uint64_t key = (uint64_t)e->kind << 32 | (uint64_t)e->outcome << 16 | (uint64_t)event_family(c, e) << 8 |
                 (uint64_t)e->phase << 4 | e->wake;
  if (event_shape(e->kind) & (EVENT_HAS_FUNCTION | EVENT_HAS_ACCESS))
    key = (uint64_t)e->other << 8 | e->kind | UINT64_C(1) << 63;
  uint64_t id = map_or(ops->known, key, ops->first.len);
  if (id == ops->first.len) {
    map_put(ops->known, key, id);
    vec_push(&ops->first, event);
  }
  return (uint32_t)id;
}

static void put_operation(const Sigma *s, const Schedule *c, const Event *e, Json *j) {
  Bytes word = {0};
  event_word_print(e, &word);
  json_open(j, '[');
  json_bytes(j, &word);
  json_text(j, event_family_word(c, e));
  json_number(j, role_of(e));
  json_text(j, event_result(e));
  if (event_shape(e->kind) & EVENT_HAS_FUNCTION) json_text(j, sigma_text(s, e->other));
  if (e->kind == EVENT_ACCESS) {
    word.len = 0;
    put_operands(s, c, e, &word);
    json_bytes(j, &word);
  }
  json_close(j, ']');
  vec_free(&word);
}

// 0 is none.
static void put_id(Json *j, uint32_t id) {
  json_number(j, id == SIGMA_NONE ? 0 : (uint64_t)id + 1);
}

static void put_events(const Sigma *s, const Schedule *c, Json *j) {
  Operations ops = {.known = map_new()};
  json_key(j, "e"), json_open(j, '[');
  for (uint32_t i = 0; i < c->events.len; ++i) {
    const Event *e = &c->events.at[i];
    json_number(j, e->thread);
    json_number(j, operation(&ops, c, i));
    put_id(j,
           e->kind == EVENT_ACCESS ? (uint32_t)s->sites.len + e->other : e->site);  // accesses follow sites
    put_id(j, e->object);
    put_id(j, event_shape(e->kind) & (EVENT_HAS_FUNCTION | EVENT_HAS_ACCESS) ? SIGMA_NONE : e->other);
  }
  json_close(j, ']');
  json_key(j, "ops"), json_open(j, '[');
  for (vec_each(i, &ops.first)) put_operation(s, c, &c->events.at[ops.first.at[i]], j);
  json_close(j, ']');
  map_free(ops.known);
  vec_free(&ops.first);
}

// The event that waits, less the one before in this list; how far back it waits, doubled, and 1 for credit.
static void put_waits(const Order *o, Json *j) {
  uint32_t last = 0;
  json_key(j, "w"), json_open(j, '[');
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    const OrderWait *waits;
    size_t n = order_waits(o, i, &waits);
    for (size_t k = 0; k < n; ++k, last = i) {
      json_number(j, i - last);
      json_number(j, 2 * (uint64_t)(i - waits[k].event) + waits[k].credit);
    }
  }
  json_close(j, ']');
  json_key(j, "g"), json_open(j, '[');
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    if (order_generation(o, i) == SIGMA_NONE) continue;
    json_number(j, i);
    json_number(j, order_generation(o, i));
  }
  json_close(j, ']');
}

static void put_names(const Sigma *s, const Schedule *c, Json *j) {
  json_key(j, "routines"), json_open(j, '[');
  uint32_t *routines = thread_routines(c);
  for (uint32_t t = 0; t < c->threads; ++t) json_text(j, sigma_text(s, routines[t]));
  mem_free(routines);
  json_close(j, ']');
  json_key(j, "objects"), json_open(j, '[');
  for (uint32_t i = 0; i < c->objects.len; ++i) {
    Bytes name = {0};
    object_print(c, i, &name);
    json_open(j, '[');
    json_bytes(j, &name);
    json_text(j, family_word((SyncFamily)c->objects.at[i].family));
    json_text(j, object_label(s, &c->objects.at[i]));
    json_close(j, ']');
    vec_free(&name);
  }
  json_close(j, ']');
}

static void put_run(const Sigma *s, const Schedule *c, Json *j) {
  Bytes run = {0}, end = {0}, at = {0};
  put_origin(s, c, &run);
  put_end(c, &end);
  put_dispatch(s, c, &at);
  json_key(j, "run"), json_bytes(j, &run);
  json_key(j, "end"), json_bytes(j, &end);
  json_key(j, "from"), json_bytes(j, &at);
  json_key(j, "crash"), put_id(j, c->crash_thread);
  char *address = mem_format("0x%" PRIx64, c->crash_address);
  json_key(j, "address"), json_text(j, address);
  mem_free(address);
  json_key(j, "frames"), json_open(j, '[');
  for (vec_each(i, &c->frames)) {
    const SigmaFrame *f = &c->frames.at[i];
    Bytes place = {0};
    put_place(s, f->file, f->line, f->column, &place);
    json_text(j, sigma_text(s, f->function));
    json_bytes(j, &place);
    vec_free(&place);
  }
  json_close(j, ']');
  vec_free(&run), vec_free(&end), vec_free(&at);
}

static void put_sites(const Sigma *s, Json *j) {
  json_key(j, "sites"), json_open(j, '[');
  for (vec_each(i, &s->sites)) {
    Bytes place = {0};
    put_place(s, s->sites.at[i].file, s->sites.at[i].line, s->sites.at[i].column, &place);
    json_text(j, sigma_text(s, s->sites.at[i].name));
    json_bytes(j, &place);
    vec_free(&place);
  }
  for (vec_each(i, &s->accesses)) {
    Bytes place = {0};
    put_place(s, s->accesses.at[i].file, s->accesses.at[i].line, s->accesses.at[i].column, &place);
    json_text(j, sigma_text(s, s->accesses.at[i].name));
    json_bytes(j, &place);
    vec_free(&place);
  }
  json_close(j, ']');
}

static void put_data(const Shown *s, Bytes *out) {
  Json j = {.out = out};
  json_open(&j, '{');
  put_sigma_fields(s->sigma, &j);
  json_key(&j, "excluded"), json_open(&j, '[');
  for (vec_each(i, &s->sigma->exclusions))
    json_text(&j, sigma_text(s->sigma, s->sigma->exclusions.at[i].name));
  json_close(&j, ']');
  put_sites(s->sigma, &j);
  json_key(&j, "schedules"), json_open(&j, '[');
  for (uint32_t i = 0; i < s->count; ++i) {
    const Schedule *c = order_schedule(s->orders[i]);
    json_open(&j, '{');
    put_schedule_fields(s->sigma, s->first + i, &j);
    put_run(s->sigma, c, &j);
    put_names(s->sigma, c, &j);
    put_events(s->sigma, c, &j);
    put_waits(s->orders[i], &j);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
}

void report_html(const Shown *s, Bytes *out) {
  const char *const scripts[] = {report_model_js, report_draw_js, report_page_js, NULL};
  const char *rest = page_begin("Schedules", report_page_css, report_page_html, out);
  put_data(s, out);
  page_end(rest, scripts, out);
}
