// A program that replays witnesses has no hooks at all of its accesses: nothing is watched.
#include "rep.h"

HIDDEN void rep_watch_start(void) {}
HIDDEN void rep_watch_thread(RepThread *t) {
  (void)t;
}
HIDDEN void rep_watch_access(const RepThread *t, uint32_t access, uint64_t address, uint64_t size) {
  (void)t, (void)access, (void)address, (void)size;
}
HIDDEN void rep_watch_orders(const RepThread *t, uint32_t how) {
  (void)t, (void)how;
}
