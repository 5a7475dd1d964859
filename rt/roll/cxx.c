// C++ for rolled programs. Nothing of this is linked into C programs.
#include "rt/cxx.h"
#include "rolls.h"

#define RT_REC(name) CXX_PASTE(rt_rec_, name)
#define RT_ENF(name) CXX_PASTE(rt_enf_, name)

void RT_REC(START_THREAD)(RtSite site, pthread_t *self, void **state, void (*depend)(void)) {
  const RtNode *n = roll_take(site, "std::thread");
  if (n)
    RT_ENF(START_THREAD)(n, self, state, depend);
  else
    START_THREAD(self, state, depend);
}

#define OBJECT(type, name, words)             \
  void RT_REC(name)(RtSite site, type self) { \
    const RtNode *n = roll_take(site, words); \
    if (n && !roll_cancelled(n))              \
      RT_ENF(name)(n, self);                  \
    else                                      \
      name(self);                             \
  }
OBJECT(pthread_t *, _ZNSt6thread4joinEv, "std::thread::join")
OBJECT(pthread_t *, _ZNSt6thread6detachEv, "std::thread::detach")
OBJECT(void *, CV(10notify_oneEv), "std::condition_variable::notify_one")
OBJECT(void *, CV(10notify_allEv), "std::condition_variable::notify_all")
OBJECT(void *, __cxa_guard_release, "the end of a static initialization")
OBJECT(void *, __cxa_guard_abort, "the end of a static initialization")

void RT_REC(CV(4waitERSt11unique_lockISt5mutexE))(RtSite site, void *self, void **lock) {
  const RtNode *n = roll_take(site, "std::condition_variable::wait");
  if (n) roll_pass(n);
  if (n)
    RT_ENF(CV(4waitERSt11unique_lockISt5mutexE))(n, self, lock);
  else
    CV(4waitERSt11unique_lockISt5mutexE)(self, lock);
}

int RT_REC(__cxa_guard_acquire)(RtSite site, void *guard) {
  const RtNode *n = roll_take(site, "a static initialization");
  return n ? RT_ENF(__cxa_guard_acquire)(n, guard) : __cxa_guard_acquire(guard);
}
