#include "decision.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "intern.h"
#include "map.h"
#include "mem.h"
#include "vec.h"

#define NO_FILE UINT32_MAX
typedef struct {
  uint32_t stage, file, what, why, line, column;  // texts by their number in `texts`; stages in `stages`
  uint64_t times;
} Kept;

static struct {
  pthread_mutex_t lock;
  bool wanted, sorted;
  Intern *stages, *texts, *keys;
  Vec(Kept) all;  // by key
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void decisions_begin(void) {
  assert(!all.wanted);
  all.stages = intern_new(), all.texts = intern_new(), all.keys = intern_new();
  all.wanted = true;
}

bool decisions_wanted(void) {
  return all.wanted;
}

static uint32_t text(const char *s) {
  return intern_id(all.texts, s, strlen(s));
}

static void keep(Kept d) {
  uint64_t times = d.times;
  d.times = 0;
  uint32_t id = intern_id(all.keys, (const char *)&d, sizeof d);
  if (id == all.all.len) vec_push(&all.all, d);
  all.all.at[id].times += times;
}

void decided_times(const char *stage, Place at, const char *what, const char *why, uint64_t times) {
  if (!all.wanted || !times) return;
  pthread_mutex_lock(&all.lock);
  assert(!all.sorted);
  Kept d = {.line = at.line, .column = at.column, .times = times};
  d.stage = intern_id(all.stages, stage, strlen(stage));
  d.file = at.file ? text(at.file) : NO_FILE;
  d.what = text(what), d.why = text(why);
  keep(d);
  pthread_mutex_unlock(&all.lock);
}

void decided(const char *stage, Place at, const char *what, const char *why) {
  decided_times(stage, at, what, why, 1);
}

static int by_text(uint32_t a, uint32_t b) {
  if (a == b) return 0;
  if (a == NO_FILE || b == NO_FILE) return a == NO_FILE ? -1 : 1;
  return strcmp(intern_text(all.texts, a), intern_text(all.texts, b));
}

static int by_place(const void *a, const void *b) {
  const Kept *x = a, *y = b;
  int texts;
  if (x->stage != y->stage) return x->stage < y->stage ? -1 : 1;
  if ((texts = by_text(x->file, y->file))) return texts;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  texts = by_text(x->what, y->what);
  return texts ? texts : by_text(x->why, y->why);
}

size_t decisions_count(void) {
  return all.all.len;
}

Decision decision_at(size_t i) {
  assert(i < all.all.len);
  if (!all.sorted) qsort(all.all.at, all.all.len, sizeof *all.all.at, by_place);
  all.sorted = true;
  const Kept *k = &all.all.at[i];
  return (Decision){intern_text(all.stages, k->stage),
                    k->file == NO_FILE ? NULL : intern_text(all.texts, k->file),
                    intern_text(all.texts, k->what),
                    intern_text(all.texts, k->why),
                    k->line,
                    k->column,
                    k->times};
}
