// Where threads wait, and what they have: for who runs the program and looks on (rt/stand.h). A thread gets
// its slot when it first waits or takes something, and gives it back at its end.
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rep.h"

static _Thread_local RtStand *mine;
static pthread_key_t key;

static void leave(void *slot) {
  RtStand *s = slot;
  mine = NULL;
  rep_table->held[s - rep_table->stand].count = 0;
  stand_end(s);
  atomic_store(&s->thread, 0);
}

HIDDEN int rep_stand_key(void) {
  return pthread_key_create(&key, leave);
}

// NULL: there are too many threads; then nobody says that all of them wait.
static RtStand *slot(void) {
  uint32_t who = rep_self ? rep_self->id + 1 : RT_STAND_NOBODY;
  for (uint32_t i = 0; !mine && i < RT_STANDS; ++i) {
    uint32_t nobody = 0;
    RtStand *s = &rep_table->stand[i];
    if (atomic_load(&s->thread) || !atomic_compare_exchange_strong(&s->thread, &nobody, who)) continue;
    s->self = (uint64_t)pthread_self();
    atomic_store(&s->task, (uint32_t)syscall(SYS_gettid));
    mine = s;
    pthread_setspecific(key, s);
  }
  return mine;
}

HIDDEN void rep_stand(RtStandKind kind, RtSite site, uint64_t object) {
  RtStand *s = slot();
  if (s) stand_begin(s, kind, site, object);
}

HIDDEN void rep_stand_on(void) {
  if (mine) stand_end(mine);
}

HIDDEN void rep_stand_took(const void *object, bool shared, RtSite site) {
  RtStand *s = slot();
  RtStandHeld *h = s ? &rep_table->held[s - rep_table->stand] : NULL;
  if (!h || h->count >= RT_STAND_HOLDS) return;
  h->at[h->count].object = (uintptr_t)object;
  h->at[h->count].shared = shared, h->at[h->count].site = site;
  ++h->count;
}

HIDDEN void rep_stand_gave(const void *object) {
  RtStandHeld *h = mine ? &rep_table->held[mine - rep_table->stand] : NULL;
  for (uint32_t i = h ? h->count : 0; i--;) {
    if (h->at[i].object != (uintptr_t)object) continue;
    memmove(&h->at[i], &h->at[i + 1], (h->count - i - 1) * sizeof h->at[0]);
    --h->count;
    return;
  }
}

HIDDEN RepJoin rep_joining(RtSite site, pthread_t id) {
  RepJoin j = {rep_stands()};
  if (j.stands) rep_stand(RT_STAND_JOIN, site, (uint64_t)id);
  return j;
}

HIDDEN void rep_joining_end(RepJoin *j) {
  if (j->stands) rep_stand_on();
}
