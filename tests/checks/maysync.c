// ir/maysync: what maysync_check notices.
#undef NDEBUG
#include "ir/maysync.c"
#include "dies.h"
#include "../unit/calls.h"

static void check(void *m) {
  maysync_check(m);
}

static void ask(void *m) {
  maysync_event(m, SITE_NONE);
}

static const char program[] =
    "@table = global ptr @locks\n"
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare void @unknown()\n"
    "define void @locks(ptr %m) { call i32 @pthread_mutex_lock(ptr %m) ret void }\n"
    "define void @calls(ptr %m) { call void @locks(ptr %m) ret void }\n"
    "define void @quiet() { call void @unknown() ret void }\n";

int main(void) {
  Calls c = calls_of(program);
  Maysync *m = c.may;
  uint32_t locks = calls_function(&c, "locks"), quiet = calls_function(&c, "quiet");
  uint32_t operation = calls_site(&c, "locks#0"), call = calls_site(&c, "calls#0");
  maysync_check(m);
  dies_in("maysync_event", ask, m);
  m->functions[locks] = false;
  dies_in("check_site", check, m);
  m->functions[locks] = true, m->sites[call] = false;  // it calls one that may
  dies_in("check_site", check, m);
  m->sites[call] = true, m->sites[calls_site(&c, "quiet#0")] = true;  // but quiet may not
  dies_in("check_site", check, m);
  m->sites[calls_site(&c, "quiet#0")] = false;
  assert(m->hidden == locks);
  m->hidden = quiet;
  dies_in("maysync_check", check, m);
  m->hidden = locks, m->sites_count--;
  dies_in("maysync_check", check, m);
  m->sites_count++;
  bool ordinary[3] = {0};
  ordinary[call] = true;  // which is not an operation
  m->ordinary = ordinary;
  dies_in("check_site", check, m);
  m->ordinary = NULL, m->operations[operation] = NULL;
  maysync_check(m);
  calls_free(&c);
  return 0;
}
