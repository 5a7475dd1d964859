// What a specialized program may promise: that it does the same each time with the same input. The order of
// its events is held; a race, an excluded lock and what was not examined leave it free.
#include "findings.h"

enum { SHOWN = 20 };

static void begin(const char *program, Bytes *out) {
  put(out, "specialize: ");
  put_shown(out, program);
  put(out, ": ");
}

static void put_side(const FindingAccess *a, Bytes *out) {
  if (a->at.file)
    put_source_place(&a->at, out);
  else
    put_shown(out, a->site ? a->site : a->at.function ? a->at.function : "(unknown)");
}

static void put_race(const char *program, const Finding *f, Bytes *out) {
  begin(program, out);
  put(out, "runs may differ by a race: ");
  put_side(&f->a, out);
  put(out, " and ");
  put_side(&f->b, out);
  if (f->object.name) put(out, ", "), put_object_words(&f->object, out);
  put(out, "\n");
}

// Why nothing can be promised though no race was found; NULL: nothing stands against it.
static const char *open_question(const Report *r) {
  if (r->incomplete.len || r->limits.len) return "not all of it could be examined for races";
  if (r->unfinished) return "threads that did not end were examined only in part";
  if (r->forks) return "processes that it forks were not examined for races";
  return r->scheduled_share < 1 ? "excluded locks are taken in any order" : NULL;
}

void report_promise(const Report *r, const char *program, Bytes *out) {
  for (size_t i = 0; i < r->findings.len && i < SHOWN; ++i) put_race(program, &r->findings.at[i], out);
  if (r->findings.len > SHOWN) {
    begin(program, out);
    putf(out, "%zu more races are possible; `specialize race` shows all\n", r->findings.len - SHOWN);
  }
  if (r->findings.len) return;
  const char *why = open_question(r);
  begin(program, out);
  if (why)
    put(out, "runs may differ: "), put(out, why), put(out, "; `specialize race` says more\n");
  else
    put(out, "no race is possible: with the same input every run does the same\n");
}
