// Findings for people, in the order of ThreadSanitizer's reports. What is only possible takes a line for each
// object and pair of functions, and so does what has been judged already.
#include <inttypes.h>
#include "findings.h"

enum { WIDEST = 160 };

typedef struct {
  const Report *r;
  const FindingOptions *o;
  Bytes *out;
} Printer;

static const char *const bar = "==================\n";

static void colour(const Printer *t, const char *code) {
  if (t->o->colour) putf(t->out, "\x1b[%sm", code);
}

static void label(const Printer *t, const char *word) {
  colour(t, "1");
  putf(t->out, "  %-10s ", word);
  colour(t, "0");
}

// The line itself, without its indentation, under the innermost frame.
static void put_line(const Printer *t, const FindingFrame *f) {
  if (!t->o->sources || !f->file || !f->line) return;
  Span line = sources_line(t->o->sources, f->file, f->line);
  while (line.len && (*line.at == ' ' || *line.at == '\t')) ++line.at, --line.len;
  if (!line.len) return;
  Bytes text = {0};
  vec_append(&text, line.at, line.len < WIDEST ? line.len : WIDEST);
  vec_push(&text, 0);
  colour(t, "2");
  put(t->out, "         | ");
  put_shown(t->out, (const char *)text.at);
  colour(t, "0");
  put(t->out, "\n");
  vec_free(&text);
}

static void put_frames(const Printer *t, const FindingFrames *frames, bool line) {
  for (size_t i = 0; i < frames->len && i < LIMIT_REPORT_FRAMES; ++i) {
    const FindingFrame *f = &frames->at[i];
    putf(t->out, "    #%zu ", i);
    if (f->function) put_shown(t->out, f->function), put(t->out, " ");
    if (!f->function && !f->file && !f->library) put(t->out, "(unknown)");
    put_source_place(f, t->out);
    while (vec_last(t->out) == ' ') --t->out->len;
    put(t->out, "\n");
    if (line && !i) put_line(t, f);
  }
  if (frames->len > LIMIT_REPORT_FRAMES)
    putf(t->out, "    and %zu more\n", frames->len - LIMIT_REPORT_FRAMES);
}

static void put_frame(const Printer *t, const FindingFrame *f, bool line) {
  FindingFrame one = *f;
  FindingFrames frames = {&one, 1, 1};
  put_frames(t, &frames, line);
}

static void put_owner(const Printer *t, const Finding *f, const FindingThread *w) {
  if (w->on == FINDING_NONE || !strcmp(w->does, "join")) return;
  const FindingThread *owner = &f->threads.at[w->on];
  put(t->out, ", which ");
  if (owner == w)
    put(t->out, "it holds itself");
  else
    put_thread_word(owner->thread, t->out), put(t->out, " holds");
}

static void put_hold(const Printer *t, const FindingHold *h) {
  put(t->out, "    holds ");
  put_shown(t->out, h->object);
  if (h->shared) put(t->out, " for reading");
  if (h->since.file) put(t->out, " since "), put_source_place(&h->since, t->out);
  put(t->out, "\n");
  put_line(t, &h->since);
}

static void put_waiting(const Printer *t, const Finding *f, const FindingThread *w) {
  colour(t, "1;34");
  put(t->out, w->thread ? "  Thread " : "  The main thread");
  if (w->thread) putf(t->out, "T%" PRIu32, w->thread);
  if (w->thread && w->routine) put(t->out, " '"), put_shown(t->out, w->routine), put(t->out, "'");
  put(t->out, " waits ");
  put_waits_for(w, t->out);
  put_owner(t, f, w);
  put(t->out, ":");
  colour(t, "0");
  put(t->out, "\n");
  put_frames(t, &w->stack, true);
  for (vec_each(i, &w->holds)) put_hold(t, &w->holds.at[i]);
}

void finding_threads_text(const Report *r, const Finding *f, const FindingOptions *o, Bytes *out) {
  static const FindingOptions none = {0};
  Printer t = {r, o ? o : &none, out};
  for (vec_each(i, &f->threads)) put_waiting(&t, f, &f->threads.at[i]);
}

static void put_access(const Printer *t, const FindingAccess *a, bool second) {
  colour(t, "1;34");
  put(t->out, "  ");
  if (second) put(t->out, "Previous ");
  put_access_word(a, !second, t->out);
  if (a->bytes && a->kind != FINDING_FREE) putf(t->out, " of size %" PRIu64, a->bytes);
  put(t->out, " by ");
  put_thread_word(a->thread, t->out);
  for (vec_each(i, &a->locks)) {
    put(t->out, i ? ", " : " (mutexes: ");
    put(t->out, a->locks.at[i].shared ? "read " : "write ");
    put_shown(t->out, a->locks.at[i].name);
  }
  put(t->out, a->locks.len ? "):" : ":");
  colour(t, "0");
  put(t->out, "\n");
  if (a->stack.len)
    put_frames(t, &a->stack, true);
  else
    put_frame(t, &a->at, true);
  put(t->out, "\n");
}

static void put_location(const Printer *t, const FindingObject *o) {
  if (o->place == FINDING_UNKNOWN && !o->name) return;
  colour(t, "1;32");
  put(t->out, "  Location is ");
  put_object_words(o, t->out);
  bool made = o->place == FINDING_HEAP;
  if (made && o->thread != FINDING_NONE) {
    put(t->out, " allocated by ");
    put_thread_word(o->thread, t->out);
  } else if (o->place == FINDING_STACK && o->thread != FINDING_NONE) {
    put(t->out, " of ");
    put_thread_word(o->thread, t->out);
  } else if (o->where.len) {
    put(t->out, made ? " allocated" : " declared");
  }
  put(t->out, o->where.len ? " at:" : ".");
  colour(t, "0");
  put(t->out, "\n");
  put_frames(t, &o->where, false);
  put(t->out, "\n");
}

static void put_locks(const Printer *t, const Finding *f) {
  const FindingLocks *both[] = {&f->a.locks, &f->b.locks};
  for (size_t side = 0; side < 2; ++side)
    for (vec_each(i, both[side])) {
      const FindingLock *l = &both[side]->at[i];
      bool told = false;
      for (size_t k = 0; side && k < both[0]->len; ++k) told |= !strcmp(both[0]->at[k].name, l->name);
      if (told || !l->created.file) continue;
      put(t->out, "  Mutex ");
      put_shown(t->out, l->name);
      put(t->out, " created at:\n");
      put_frame(t, &l->created, false);
      put(t->out, "\n");
    }
}

static void put_thread(const Printer *t, const FindingAccess *a) {
  if (!a->thread) return;
  colour(t, "1;35");
  putf(t->out, "  Thread T%" PRIu32, a->thread);
  if (a->routine) put(t->out, " '"), put_shown(t->out, a->routine), put(t->out, "'");
  if (a->creator != FINDING_NONE) put(t->out, " created by "), put_thread_word(a->creator, t->out);
  put(t->out, a->created.len ? a->creator == FINDING_NONE ? " created at:" : " at:" : ".");
  colour(t, "0");
  put(t->out, "\n");
  put_frames(t, &a->created, false);
  put(t->out, "\n");
}

static const char *status_colour(const Finding *f) {
  return f->status == FINDING_REPLAYED ? "1;31" : f->status == FINDING_POSSIBLE ? "1;33" : "2";
}

static void put_status(const Printer *t, const Finding *f) {
  colour(t, status_colour(f));
  put(t->out, finding_status_word(f->status));
  colour(t, "0");
  if (f->known) put(t->out, ", in the baseline");
  if (f->followed) put(t->out, "; then "), put_shown(t->out, f->followed);
}

static void put_schedules(const Printer *t, const Finding *f) {
  for (size_t i = 0; i < f->schedules.len && i < LIMIT_REPORT_PLACES; ++i)
    putf(t->out, "%s%" PRIu32, i ? ", " : "", f->schedules.at[i]);
  if (f->schedules.len > LIMIT_REPORT_PLACES)
    putf(t->out, " and %zu more", f->schedules.len - LIMIT_REPORT_PLACES);
  if (t->r->schedules.len > 1) putf(t->out, " (of %zu examined)", t->r->schedules.len);
}

static void put_told(const Printer *t, const char *word, const char *text) {
  if (!text) return;
  label(t, word);
  put_shown(t->out, text);
  put(t->out, "\n");
}

static void put_races(const Printer *t, const Finding *f) {
  put_access(t, &f->a, false);
  put_access(t, &f->b, true);
  put_location(t, &f->object);
  put_locks(t, f);
  put_thread(t, &f->a);
  if (f->b.thread != f->a.thread) put_thread(t, &f->b);
}

static void put_lines(const Printer *t, const Finding *f) {
  label(t, "Schedule:"), put_schedules(t, f), put(t->out, "\n");
  put_told(t, "Input:", f->input);
  if (f->recorded) {
    label(t, "Computed:");
    put(t->out, "with the recorded input they cannot meet: ");
    put_shown(t->out, f->recorded);
    put(t->out, "\n");
  }
  put_told(t, "Stdin:", f->stdin_note);
  label(t, "Status:"), put_status(t, f), put(t->out, "\n");
  put_told(t, "Seen:", finding_seen_text(f->seen));
  put_told(t, "Why:", f->why);
  if (f->merged) {
    label(t, "Also:");
    putf(t->out, "%" PRIu32 " more %s%s at the same lines", f->merged,
         f->threads.len   ? "deadlock"
         : f->merged == 1 ? "pair of accesses"
                          : "pairs of accesses",
         f->threads.len && f->merged > 1 ? "s" : "");
    if (f->also) put(t->out, ", on "), put_shown(t->out, f->also);
    put(t->out, "\n");
  }
  if (f->witness) {
    label(t, "Reproduce:");
    put(t->out, "specialize replay ");
    put_argument(t->out, t->r->program ? t->r->program : "APP");
    put(t->out, " ");
    put_argument(t->out, f->witness);
    put(t->out, "\n");
  }
}

static void put_finding(const Printer *t, const Finding *f) {
  put(t->out, bar);
  colour(t, "1;31");
  putf(t->out, "WARNING: specialize: %s (%s)\n", finding_headline(f), finding_status_word(f->status));
  colour(t, "0");
  if (f->threads.len)
    finding_threads_text(t->r, f, t->o, t->out), put(t->out, "\n");
  else
    put_races(t, f);
  put_lines(t, f);
  putf(t->out, "\nSUMMARY: specialize: %s ", finding_headline(f));
  put_source_place(&f->a.at, t->out);
  putf(t->out, "%sin ", f->a.at.file ? " " : "");
  put_shown(t->out, f->a.at.function ? f->a.at.function : f->a.site ? f->a.site : "(unknown)");
  put(t->out, "\n");
  put(t->out, bar);
}

static void put_site(const Printer *t, const FindingAccess *a) {
  if (a->at.file)
    put_source_place(&a->at, t->out);
  else
    put_shown(t->out, a->at.function ? a->at.function : a->site ? a->site : "(unknown)");
}

static void put_side(const Printer *t, const FindingAccess *a) {
  put_site(t, a);
  if (a->at.file && a->at.function) put(t->out, " in "), put_shown(t->out, a->at.function);
}

typedef struct {
  const Finding *first;  // the strongest
  size_t count;
} Group;
typedef Vec(Group) Groups;

static void put_group_of_waits(const Printer *t, const Group *g) {
  const Finding *f = g->first;
  colour(t, status_colour(f));
  put(t->out, finding_status_word(f->status));
  colour(t, "0");
  putf(t->out, ": %s: ", f->kind ? f->kind : "deadlock");
  for (vec_each(i, &f->threads)) {
    const FindingThread *w = &f->threads.at[i];
    if (i) put(t->out, "; ");
    put_thread_word(w->thread, t->out);
    put(t->out, " waits ");
    put_waits_for(w, t->out);
    if (w->at.file) put(t->out, " at "), put_source_place(&w->at, t->out);
    put_owner(t, f, w);
  }
  if (g->count > 1) putf(t->out, "; %zu more like it", g->count - 1);
  if (f->known) put(t->out, "; in the baseline");
  put(t->out, "\n");
}

static void put_group(const Printer *t, const Group *g) {
  const Finding *f = g->first;
  if (f->threads.len) {
    put_group_of_waits(t, g);
    return;
  }
  colour(t, status_colour(f));
  putf(t->out, "%s (%s)", finding_status_word(f->status), finding_seen_word(f->seen));
  colour(t, "0");
  put(t->out, ": ");
  put_object_words(&f->object, t->out);
  put(t->out, ": ");
  put_side(t, &f->a);
  put(t->out, " and ");
  put_side(t, &f->b);
  if (g->count > 1) putf(t->out, "; %zu more pair%s of places", g->count - 1, g->count > 2 ? "s" : "");
  if (f->known) put(t->out, "; in the baseline");
  put(t->out, "\n");
}

static void put_groups(const Printer *t) {
  Map *places = map_new();
  Groups all = {0};
  for (vec_each(i, &t->r->findings)) {
    const Finding *f = &t->r->findings.at[i];
    if (!finding_open(f) || f->status == FINDING_REPLAYED) continue;
    uint64_t place = map_or(places, f->group, all.len);
    if (place == all.len) vec_push(&all, ((Group){f, 0}));
    map_put(places, f->group, place);
    all.at[place].count++;
  }
  for (size_t i = 0; i < all.len && i < LIMIT_REPORT_GROUPS; ++i) put_group(t, &all.at[i]);
  if (all.len > LIMIT_REPORT_GROUPS) putf(t->out, "and %zu more\n", all.len - LIMIT_REPORT_GROUPS);
  if (all.len) put(t->out, "--all shows each in full\n");
  vec_free(&all);
  map_free(places);
}

static void put_judged(const Printer *t, const Finding *f) {
  colour(t, "2");
  putf(t->out, "%s: ", finding_status_word(f->status));
  put_site(t, &f->a);
  put(t->out, " and ");
  put_site(t, &f->b);
  if (f->object.name) put(t->out, ", "), put_shown(t->out, f->object.name);
  if (f->why) put(t->out, ": "), put_shown(t->out, f->why);
  colour(t, "0");
  put(t->out, "\n");
}

static void put_gaps(const Printer *t) {
  for (vec_each(i, &t->r->incomplete)) {
    const FindingGap *g = &t->r->incomplete.at[i];
    FindingFrame at = {.file = g->file, .line = g->line};
    colour(t, "1;33");
    put(t->out, "incomplete: ");
    colour(t, "0");
    put_source_place(&at, t->out);
    put(t->out, g->file ? ": " : "");
    put_shown(t->out, g->text);
    put(t->out, "\n");
  }
}

static void put_runs(const Printer *t) {
  if (!t->r->runs) return;
  putf(t->out, "\nruns: %" PRIu32 ", with %zu schedule%s", t->r->runs, t->r->schedules.len,
       t->r->schedules.len == 1 ? "" : "s");
  if (t->r->runs > 1) putf(t->out, "; delays from seed %" PRIu32, t->r->seed);
}

static void put_verdict(const Printer *t) {
  static const int order[] = {FINDING_REPLAYED, FINDING_POSSIBLE, FINDING_REFUTED, FINDING_BENIGN};
  Counts c = counts_of(t->r);
  const char *comma = "";
  put_shown(t->out, t->r->program ? t->r->program : "(no name)");
  put(t->out, ": ");
  if (!(c.fresh + c.known)) {
    put_clean(t->r, t->out);
  } else {
    putf(t->out, "%ss: ", finding_noun(t->r));
    for (size_t i = 0; i < 4; ++i) {
      size_t n = order[i] == FINDING_POSSIBLE ? c.groups : c.status[order[i]];
      if (n) putf(t->out, "%s%zu %s", comma, n, finding_statuses[order[i]]), comma = ", ";
      if (n && n < c.status[order[i]]) putf(t->out, " (%zu pairs of places)", c.status[order[i]]);
    }
    if (t->r->has_baseline) putf(t->out, "; %zu new, %zu in the baseline", c.fresh, c.known);
    if (c.suppressed) putf(t->out, "; %zu suppressed", c.suppressed);
  }
}

// What was recorded for this is summed up in the last line.
static void put_totals(const Printer *t) {
  if (!t->r->runs) put(t->out, "specialize: "), put_verdict(t), put(t->out, "\n");
  putf(t->out, "checked: %" PRIu64 " %s%s%s in %zu schedule%s", t->r->pairs,
       t->r->deadlocks ? "wait" : "pair", t->r->pairs == 1 ? "" : "s",
       t->r->deadlocks ? " for a lock with others held" : " of accesses", t->r->schedules.len,
       t->r->schedules.len == 1 ? "" : "s");
  if (t->r->sigma) put(t->out, " of "), put_shown(t->out, t->r->sigma);
  if (t->r->scheduled_share < 1)
    putf(t->out, "; %.1f %% of the synchronization is scheduled", 100 * t->r->scheduled_share);
  if (t->r->schedules.len) put(t->out, "\nscope: "), put_scope(t->r, t->out);
  if (t->r->unwatched) put(t->out, "\nevidence: not complete: "), put_shown(t->out, t->r->unwatched);
  put_runs(t);
  put(t->out, "\n");
  if (t->r->runs) put(t->out, "SUMMARY: specialize: "), put_verdict(t), put(t->out, "\n");
}

void finding_text(const Report *r, Bytes *out, const FindingOptions *o) {
  static const FindingOptions none = {0};
  Printer t = {r, o ? o : &none, out};
  for (vec_each(i, &r->findings))
    if (finding_open(&r->findings.at[i]) && (t.o->all || r->findings.at[i].status == FINDING_REPLAYED))
      put_finding(&t, &r->findings.at[i]);
  if (!t.o->all) put_groups(&t);
  for (vec_each(i, &r->findings))
    if (!finding_open(&r->findings.at[i]) && !r->findings.at[i].suppressed)
      put_judged(&t, &r->findings.at[i]);
  put_gaps(&t);
  put_totals(&t);
}
