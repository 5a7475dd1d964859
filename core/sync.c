#include "sync.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

enum {
  E_INIT = SYNC_OK | SYNC_AGAIN | SYNC_NOMEM | SYNC_PERM | SYNC_BUSY | SYNC_INVAL,
  E_DESTROY = SYNC_OK | SYNC_BUSY | SYNC_INVAL,
  E_OWNER = SYNC_OWNERDEAD | SYNC_NOTRECOVERABLE,
  E_LOCK = SYNC_OK | SYNC_AGAIN | SYNC_DEADLK | SYNC_INVAL | E_OWNER,
  E_RWLOCK = SYNC_OK | SYNC_AGAIN | SYNC_DEADLK | SYNC_INVAL,
  E_UNLOCK = SYNC_OK | SYNC_PERM | SYNC_INVAL,
  E_WAIT = SYNC_OK | SYNC_PERM | SYNC_INVAL | E_OWNER,
  E_JOIN = SYNC_OK | SYNC_DEADLK | SYNC_INVAL | SYNC_SRCH,
  E_SEM = SYNC_OK | SYNC_INTR | SYNC_INVAL,
  E_FUTEX = SYNC_OK | SYNC_AGAIN | SYNC_INTR | SYNC_INVAL,
  E_THRD = SYNC_OK | SYNC_FAILED,
};

#define ARG(n) \
  { SYNC_VALUE, n }
#define LOADED(n) \
  { SYNC_LOADED, n }
#define SYNC(text, where, class, what, waits, shows, ends, needs, ...) \
  {.name = text,                                                       \
   .home = SYNC_IN_##where,                                            \
   .family = SYNC_##class,                                             \
   .kind = SYNC_##what,                                                \
   .waiting = SYNC_##waits,                                            \
   .result = SYNC_RETURNS_##shows,                                     \
   .outcomes = ends,                                                   \
   .args = needs,                                                      \
   __VA_ARGS__},
static const Sync table[] = {
#include "syncs.def"
};

static const struct {
  const char *word;
  unsigned events, order;
} kinds[] = {
#define KIND(id, text, count, bits) {text, count, bits},
#include "syncs.def"
};

static const struct {
  SyncOutcome outcome;
  const char *word;
  int error, thrd;
} outcomes[] = {
#define OUTCOME(id, text, bit, number, code) {SYNC_##id, text, number, code},
#include "syncs.def"
};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

const Sync *sync_find(const char *name) {
  size_t low = 0, high = sync_count();
  while (low < high) {
    size_t mid = (low + high) / 2;
    int order = strcmp(name, table[mid].name);
    if (order == 0) return table[mid].home == SYNC_IN_KERNEL ? NULL : &table[mid];
    if (order < 0)
      high = mid;
    else
      low = mid + 1;
  }
  return NULL;
}

size_t sync_count(void) {
  return sizeof table / sizeof *table;
}
const Sync *sync_at(size_t i) {
  assert(i < sync_count());
  return &table[i];
}

const char *sync_word(SyncKind kind) {
  assert(kind < SYNC_KINDS);
  return kinds[kind].word;
}
unsigned sync_events(SyncKind kind) {
  assert(kind < SYNC_KINDS);
  return kinds[kind].events;
}
const char *sync_outcome_word(SyncOutcome outcome) {
  for (size_t i = 0; i < OUTCOMES; ++i)
    if (outcomes[i].outcome == outcome) return outcomes[i].word;
  return NULL;
}

static SyncOutcome of_error(const Sync *s, long error) {
  if (error == 0) return SYNC_OK;
  for (size_t i = 0; i < OUTCOMES; ++i)
    if (outcomes[i].error == error && (s->outcomes & outcomes[i].outcome)) return outcomes[i].outcome;
  return SYNC_FAILED;
}

static SyncOutcome of_thrd(long code) {
  for (size_t i = 0; i < OUTCOMES; ++i)
    if (outcomes[i].thrd == code) return outcomes[i].outcome;
  return SYNC_FAILED;
}

SyncOutcome sync_outcome_of_error(int error) {
  for (int i = 0; i < OUTCOMES; ++i)
    if (outcomes[i].error == error) return outcomes[i].outcome;
  return SYNC_FAILED;
}

int sync_error_of_outcome(SyncOutcome outcome) {
  for (int i = 0; i < OUTCOMES; ++i)
    if (outcomes[i].outcome == outcome) return outcomes[i].error;
  return 0;
}

bool sync_outcome_of(const Sync *s, long result, int error, SyncOutcome *outcome) {
  switch (s->result) {
    case SYNC_RETURNS_NEVER:
      return false;
    case SYNC_RETURNS_NOTHING:
    case SYNC_RETURNS_VALUE:
      *outcome = SYNC_OK;
      break;
    case SYNC_RETURNS_ERROR:
      *outcome = of_error(s, result);
      break;
    case SYNC_RETURNS_ERRNO:
    case SYNC_RETURNS_COUNT:
      *outcome = result == -1 ? of_error(s, error) : SYNC_OK;
      break;
    case SYNC_RETURNS_POINTER:
      *outcome = result ? SYNC_OK : of_error(s, error);
      break;
    case SYNC_RETURNS_THRD:
      *outcome = of_thrd(result);
      break;
    case SYNC_RETURNS_FIRST:
      *outcome = result ? SYNC_RAN : SYNC_OK;
      break;
    case SYNC_RETURNS_WOKEN:
      *outcome = result ? SYNC_OK : SYNC_TIMEDOUT;
      break;
  }
  return true;
}

bool sync_result_of(const Sync *s, SyncOutcome outcome, long *result, int *error) {
  size_t i = 0;
  while (i < OUTCOMES && outcomes[i].outcome != outcome) ++i;
  if (i == OUTCOMES || !(s->outcomes & outcome)) return false;
  bool ok = outcome == SYNC_OK || outcome == SYNC_RAN, numbered = ok || outcomes[i].error != 0;
  *result = *error = 0;
  switch (s->result) {
    case SYNC_RETURNS_NEVER:
    case SYNC_RETURNS_VALUE:
      return false;
    case SYNC_RETURNS_NOTHING:
      return ok;
    case SYNC_RETURNS_ERROR:
      *result = outcomes[i].error;
      return numbered;
    case SYNC_RETURNS_ERRNO:
      *result = ok ? 0 : -1;
      *error = outcomes[i].error;
      return numbered;
    case SYNC_RETURNS_COUNT:
      *result = -1;
      *error = outcomes[i].error;
      return !ok && numbered;
    case SYNC_RETURNS_POINTER:
      *error = outcomes[i].error;
      return !ok && numbered;
    case SYNC_RETURNS_THRD:
      *result = outcomes[i].thrd;
      return true;
    case SYNC_RETURNS_FIRST:
      *result = outcome == SYNC_RAN;
      return true;
    case SYNC_RETURNS_WOKEN:
      *result = ok;
      return true;
  }
  return false;
}

// What a caller sees of an outcome must tell it from success.
static void check_outcomes(const Sync *s) {
  assert(s->outcomes & SYNC_OK);
  assert(s->waiting != SYNC_TIMED || (s->outcomes & SYNC_TIMEDOUT));
  assert(!(s->outcomes >> OUTCOMES));
  for (size_t i = 0; i < OUTCOMES; ++i) {
    bool shows = (s->outcomes & outcomes[i].outcome) && !(outcomes[i].outcome & (SYNC_OK | SYNC_RAN));
    assert(!shows || s->result != SYNC_RETURNS_ERROR || outcomes[i].error);
    assert(!shows || s->result != SYNC_RETURNS_THRD || outcomes[i].thrd > 0);
  }
}

static void check_row(const Sync *s) {
  const SyncArg all[] = {s->object, s->mutex, s->id, s->start, s->argument, s->value};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    assert(all[i].place == SYNC_ABSENT || all[i].place == SYNC_RESULT || all[i].arg < s->args);
  assert(s->kind < SYNC_KINDS);
  assert((s->kind == SYNC_CREATE) == (s->id.place != SYNC_ABSENT));
  assert(s->kind != SYNC_WAIT || s->mutex.place != SYNC_ABSENT);
  assert(s->kind != SYNC_CREATE || s->start.place != SYNC_ABSENT);
  check_outcomes(s);
}

static void check_rows(const Sync *rows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    assert(!i || strcmp(rows[i - 1].name, rows[i].name) < 0);
    check_row(&rows[i]);
  }
}

void sync_check(void) {
  for (unsigned i = 0; i < OUTCOMES; ++i) assert(outcomes[i].outcome == 1u << i);
  for (unsigned k = 0; k < SYNC_KINDS; ++k) assert(kinds[k].events <= 2);
  check_rows(table, sync_count());
}
