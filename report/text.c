// Schedules for reading: columns, no wider than what is in them.
#include <inttypes.h>
#include "standing.h"
#include "report.h"
#include "words.h"

enum { HOTTEST = 5, DEEPEST = 16, WIDEST = 48 };

static void label(Bytes *out, const char *word) {
  putf(out, "  %-11s ", word);
}

static void put_run(const Sigma *s, const Schedule *c, Bytes *out) {
  label(out, "origin");
  put(out, sigma_origin_word(c->origin));
  if (c->argv.len) put(out, ": "), put_origin(s, c, out);
  if (c->end != SIGMA_END_UNKNOWN) put(out, ", "), put_end(c, out);
  put(out, "\n");
  if (c->env.len || c->inputs.len) {
    label(out, "read");
    putf(out, "%zu environment variable%s, %zu input%s\n", c->env.len, c->env.len == 1 ? "" : "s",
         c->inputs.len, c->inputs.len == 1 ? "" : "s");
  }
}

static void put_crash(const Sigma *s, const Schedule *c, Bytes *out) {
  if (c->crash_thread == SIGMA_NONE) return;
  label(out, "crash");
  putf(out, "t%" PRIu32 " at address 0x%" PRIx64 "\n", c->crash_thread, c->crash_address);
  for (vec_each(i, &c->frames)) {
    const SigmaFrame *f = &c->frames.at[i];
    label(out, "");
    put(out, i ? "from " : "in ");
    put_shown(out, sigma_text(s, f->function));
    put(out, f->file == SIGMA_NONE ? "" : "  ");
    put_place(s, f->file, f->line, f->column, out);
    put(out, "\n");
  }
}

static void put_hottest(const Sigma *s, const Schedule *c, Bytes *out) {
  Uses uses = {0};
  uses_count(c, &uses);
  for (size_t i = 0; i < uses.len && i < HOTTEST; ++i) {
    const SigmaObject *o = &c->objects.at[uses.at[i].object];
    label(out, i ? "" : "hottest");
    size_t from = out->len;
    object_print(c, uses.at[i].object, out);
    pad(out, from, 3);
    putf(out, "%-9s  %zu event%s", family_word((SyncFamily)o->family), uses.at[i].uses,
         uses.at[i].uses == 1 ? "" : "s");
    if (object_label(s, o)) put(out, "  "), put_shown(out, object_label(s, o));
    put(out, "\n");
  }
  if (uses.len > HOTTEST) label(out, ""), putf(out, "and %zu more\n", uses.len - HOTTEST);
  vec_free(&uses);
}

static void put_schedule(const Sigma *s, uint32_t id, Bytes *out) {
  const Schedule *c = s->schedules.at[id];
  putf(out, "\nschedule %" PRIu32 "\n", id);
  put_run(s, c, out);
  put_crash(s, c, out);
  label(out, "constraint");
  put(out, sigma_status_word(c->status));
  if (c->status != SIGMA_FALSE) put(out, ": "), term_print(s->terms, c->when, out);
  if (c->because != SIGMA_NONE) put(out, ": "), put_shown(out, sigma_text(s, c->because));
  put(out, "\n");
  label(out, "order");
  putf(out, "%s, from ", sigma_order_word(c->order));
  put_dispatch(s, c, out);
  put(out, "\n");
  label(out, "threads");
  putf(out, "%" PRIu32 "\n", c->threads);
  label(out, "events");
  putf(out, "%zu, %s\n", c->events.len, c->incomplete ? "incomplete: the run was cut short" : "complete");
  label(out, "scheduled");
  if (c->left_out)
    putf(out, "%.1f %% of the run's operations; %" PRIu64 " on excluded objects\n", 100 * schedule_share(c),
         c->left_out);
  else
    put(out, "all of the run's operations\n");
  for (vec_each(i, &c->outside)) {
    label(out, i ? "" : "outside");
    outside_print(s, &c->outside.at[i], out);
    put(out, "\n");
  }
  put_hottest(s, c, out);
  if (schedule_stands(c)) put(out, "stands still, when the run ended:\n"), report_standing(s, id, out);
}

static void put_head(const Sigma *s, Bytes *out) {
  put(out, "program   ");
  put_shown(out, sigma_text(s, s->program));
  put(out, "\nmodule    ");
  put_shown(out, sigma_text(s, s->module));
  for (vec_each(i, &s->exclusions)) {
    putf(out, "\n%s%s ", i ? "          " : "excluded  ",
         family_word((SyncFamily)s->exclusions.at[i].family));
    put_shown(out, sigma_text(s, s->exclusions.at[i].name));
  }
  putf(out, "\nschedules %zu\n", s->schedules.len);
}

void report_summary(const Shown *s, Bytes *out) {
  put_head(s->sigma, out);
  for (uint32_t i = 0; i < s->count; ++i) put_schedule(s->sigma, s->first + i, out);
}

// The columns of the list of events. The last one is not padded.
enum { NUMBER, THREAD, OPERATION, OPERANDS, RESULT, SITE, PLACE, AFTER, COLUMNS };
static const char *const titles[] = {"#", "thread", "operation", "object", "outcome", "site", "at", "after"};

typedef struct {
  const Sigma *s;
  const Order *o;
  const Schedule *c;
  uint32_t *depth;  // by event: how many calls it stands in
  size_t width[COLUMNS];
} List;

static void put_after(const List *l, uint32_t event, Bytes *out) {
  const OrderWait *waits;
  size_t n = order_waits(l->o, event, &waits);
  for (size_t i = n; i--;)
    putf(out, "%s#%" PRIu32 "%s", i + 1 < n ? " " : "", (uint32_t)waits[i].event,
         waits[i].credit || l->c->order == SIGMA_TOTAL ? "" : "*");
}

static void put_cell(const List *l, uint32_t event, int column, Bytes *out) {
  const Event *e = &l->c->events.at[event];
  uint32_t name;
  switch (column) {
    case NUMBER:
      putf(out, "%" PRIu32, event);
      break;
    case THREAD:
      putf(out, "t%" PRIu32, e->thread);
      break;
    case OPERATION:
      putf(out, "%*s", (int)(2 * (l->depth[event] < DEEPEST ? l->depth[event] : DEEPEST)), "");
      event_word_print(e, out);
      break;
    case OPERANDS:
      put_operands(l->s, l->c, e, out);
      break;
    case RESULT:
      if (event_result(e)) put(out, event_result(e));
      break;
    case SITE:
      if (event_name(l->s, e, &name)) put_shown(out, sigma_text(l->s, name));
      break;
    case PLACE:
      put_event_place(l->s, e, out);
      break;
    default:
      put_after(l, event, out);
  }
}

// A RET stands in the column of its CALL.
static void measure(List *l) {
  Bytes cell = {0};
  for (int k = 0; k < COLUMNS; ++k) l->width[k] = strlen(titles[k]);
  for (uint32_t i = 0; i < l->c->events.len; ++i) {
    uint32_t path = order_path(l->o, i);
    int kind = l->c->events.at[i].kind;
    l->depth[i] = path == SIGMA_NONE ? 0 : l->depth[path] + 1;
    if (l->depth[i] && (kind == EVENT_RET || kind == EVENT_UNWIND)) --l->depth[i];
    for (int k = 0; k < AFTER; ++k) {
      cell.len = 0;
      put_cell(l, i, k, &cell);
      size_t w = shown_width(&cell, 0);
      if (w > l->width[k]) l->width[k] = w > WIDEST ? WIDEST : w;
    }
  }
  vec_free(&cell);
}

static void end_line(Bytes *out) {
  while (out->at[out->len - 1] == ' ') --out->len;
  put(out, "\n");
}

static void put_events(const Shown *s, uint32_t id, Bytes *out) {
  const Order *o = s->orders[id - s->first];
  List l = {.s = s->sigma, .o = o, .c = order_schedule(o)};
  put(out, "\n");
  if (!l.c->events.len) {
    put(out, "no events\n");
    return;
  }
  l.depth = mem_array(l.c->events.len, sizeof *l.depth);
  measure(&l);
  for (int k = 0; k < COLUMNS; ++k) {
    size_t from = out->len;
    put(out, titles[k]);
    pad(out, from, l.width[k]);
  }
  end_line(out);
  for (uint32_t i = 0; i < l.c->events.len; ++i) {
    for (int k = 0; k < COLUMNS; ++k) {
      size_t from = out->len;
      put_cell(&l, i, k, out);
      if (k + 1 < COLUMNS) pad(out, from, l.width[k]);
    }
    end_line(out);
  }
  mem_free(l.depth);
}

void report_schedules(const Shown *s, Bytes *out) {
  put_head(s->sigma, out);
  for (uint32_t i = 0; i < s->count; ++i) {
    put_schedule(s->sigma, s->first + i, out);
    put_events(s, s->first + i, out);
  }
}
