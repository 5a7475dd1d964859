// Where nothing is an event: handlers of signals, and what the C library calls of the program as its own. (Of
// forked processes rt/enforce/fork.c hears by itself.)
#include "rolls.h"

void rt_rec_handler(int signal) {
  (void)signal;
  roll_set_aside();
}
void rt_rec_handled(int signal) {
  (void)signal;
  roll_go_on();
}
void rt_rec_outside(void) {
  roll_set_aside();
}
void rt_rec_outside_over(void) {
  roll_go_on();
}

// In no schedule that is rolled.
void rt_rec_other(RtSite site, const void *object) {
  (void)object;
  roll_take(site, "an operation without a model");
}
