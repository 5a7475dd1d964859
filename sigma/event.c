#include "event.h"
#include <assert.h>

enum {
  ON_OBJECT = EVENT_HAS_SITE | EVENT_HAS_OBJECT,
  ON_THREAD = EVENT_HAS_SITE | EVENT_MAY_THREAD,
};

static const unsigned shapes[EVENT_KINDS] = {
    [SYNC_ENTER] = EVENT_HAS_FUNCTION,
    [SYNC_EXIT] = EVENT_MAY_SITE,
    [SYNC_CREATE] = ON_THREAD,
    [SYNC_JOIN] = ON_THREAD,
    [SYNC_DETACH] = ON_THREAD,
    [SYNC_CANCEL] = ON_THREAD,
    [SYNC_TESTCANCEL] = EVENT_HAS_SITE,
    [SYNC_LOCK] = ON_OBJECT,
    [SYNC_RDLOCK] = ON_OBJECT,
    [SYNC_UNLOCK] = ON_OBJECT,
    [SYNC_WAIT] = ON_OBJECT | EVENT_HAS_MUTEX,
    [SYNC_SIGNAL] = ON_OBJECT,
    [SYNC_BROADCAST] = ON_OBJECT,
    [SYNC_BARRIER] = ON_OBJECT,
    [SYNC_ACQUIRE] = ON_OBJECT,
    [SYNC_POST] = ON_OBJECT,
    [SYNC_ONCE] = ON_OBJECT,
    [SYNC_ONCE_BEGIN] = ON_OBJECT,
    [SYNC_ONCE_END] = ON_OBJECT,
    [SYNC_ONCE_ABORT] = ON_OBJECT,
    [SYNC_ATOMIC] = ON_OBJECT | EVENT_HAS_EFFECT,
    [SYNC_AWAIT] = EVENT_HAS_SITE,
    [SYNC_FENCE] = EVENT_HAS_SITE | EVENT_HAS_EFFECT,
    [SYNC_UNMODELLED] = EVENT_HAS_SITE | EVENT_MAY_OBJECT,
    [EVENT_CALL] = EVENT_HAS_SITE,
    [EVENT_RET] = EVENT_HAS_SITE,
    [EVENT_UNWIND] = EVENT_HAS_SITE,
    [EVENT_CALLBACK] = EVENT_HAS_FUNCTION,
    [EVENT_ACCESS] = EVENT_HAS_ACCESS,
    [EVENT_JUMP] = EVENT_HAS_SITE,
};

static const struct {
  char letter;
  const char *word;
} families[] = {
    [SYNC_THREAD] = {0, "thread"},         [SYNC_MUTEX] = {'m', "mutex"},
    [SYNC_RWLOCK] = {'r', "rwlock"},       [SYNC_SPIN] = {'p', "spin"},
    [SYNC_COND] = {'c', "cond"},           [SYNC_BARRIER_OBJECT] = {'b', "barrier"},
    [SYNC_SEMAPHORE] = {'s', "semaphore"}, [SYNC_ONCE_FLAG] = {'o', "once"},
    [SYNC_CELL] = {'a', "atomic"},         [SYNC_FUTEX] = {'f', "futex"},
};

Event event_of(uint32_t thread, int kind, uint32_t site) {
  assert(kind >= 0 && kind < EVENT_KINDS && event_count(kind));
  return (Event){.thread = thread,
                 .kind = (uint8_t)kind,
                 .site = site,
                 .object = SIGMA_NONE,
                 .other = SIGMA_NONE,
                 .outcome = SYNC_OK};
}

bool event_may_be_cancelled(const Event *e) {
  bool waits = e->kind == SYNC_WAIT && e->phase == EVENT_DEPART;
  return waits || e->kind == SYNC_JOIN || e->kind == SYNC_ACQUIRE || e->kind == SYNC_TESTCANCEL;
}

bool event_may_stand(const Event *e) {
  bool departs = (e->kind == SYNC_WAIT || e->kind == SYNC_BARRIER) && e->phase == EVENT_DEPART;
  return departs || e->kind == SYNC_LOCK || e->kind == SYNC_RDLOCK || e->kind == SYNC_ACQUIRE ||
         e->kind == SYNC_JOIN;
}

unsigned event_shape(int kind) {
  assert(kind >= 0 && kind < EVENT_KINDS);
  return shapes[kind];
}

const char *event_word(int kind) {
  static const char *const own[] = {"call", "ret", "unwind", "callback", "access", "jump"};
  assert(kind >= 0 && kind < EVENT_KINDS);
  return kind < EVENT_CALL ? sync_word((SyncKind)kind) : own[kind - EVENT_CALL];
}

unsigned event_count(int kind) {
  assert(kind >= 0 && kind < EVENT_KINDS);
  return kind < EVENT_CALL ? sync_events((SyncKind)kind) : 1;
}

// What any function with this kind of operation may end in; the module knows which function it was.
unsigned event_outcomes(SyncFamily family, int kind) {
  if (kind >= EVENT_CALL || kind == SYNC_ENTER) return family == SYNC_THREAD ? SYNC_OK : 0;
  unsigned outcomes = 0;
  for (size_t i = 0; i < sync_count(); ++i) {
    const Sync *s = sync_at(i);
    if (s->family == family && (int)s->kind == kind) outcomes |= s->outcomes;
  }
  return outcomes;
}

char family_letter(SyncFamily family) {
  assert(family <= SYNC_FUTEX);
  return families[family].letter;
}
const char *family_word(SyncFamily family) {
  assert(family <= SYNC_FUTEX);
  return families[family].word;
}

static bool is_one_bit_at_most(unsigned bits) {
  return !(bits & (bits - 1));
}

void event_tables_check(void) {
  enum { SITES = EVENT_HAS_SITE | EVENT_MAY_SITE, OBJECTS = EVENT_HAS_OBJECT | EVENT_MAY_OBJECT };
  enum {
    OTHERS = EVENT_HAS_MUTEX | EVENT_MAY_THREAD | EVENT_HAS_FUNCTION | EVENT_HAS_ACCESS | EVENT_HAS_EFFECT
  };
  for (int kind = 0; kind < EVENT_KINDS; ++kind) {
    unsigned shape = shapes[kind];
    assert(!shape == !event_count(kind) && event_count(kind) <= 2);
    assert(is_one_bit_at_most(shape & SITES) && is_one_bit_at_most(shape & OBJECTS));
    assert(is_one_bit_at_most(shape & OTHERS));  // one field holds them all
  }
  for (size_t i = 0; i < sync_count();
       ++i) {  // an operation on an object has a place for it, and the reverse
    const Sync *s = sync_at(i);
    if (!event_count(s->kind)) continue;
    assert(s->family == SYNC_THREAD ? !(shapes[s->kind] & EVENT_HAS_OBJECT) : shapes[s->kind] & OBJECTS);
    assert(!(shapes[s->kind] & EVENT_HAS_MUTEX) || s->mutex.place != SYNC_ABSENT);
  }
  for (int f = SYNC_MUTEX; f <= SYNC_FUTEX; ++f)  // m0 says by its letter what it is
    for (int g = SYNC_MUTEX; g < f; ++g)
      assert(families[f].letter && families[f].letter != families[g].letter);
}
