// The end of the process at once; where nothing is an event: handlers of signals, and what the C library
// calls of the program as its own. (Of forked processes rt/enforce/fork.c hears by itself.)
#include <stdlib.h>
#include <unistd.h>
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

static void ends(void) {
  if (roll_open()) enf_process_end();
}
void rt_rec__exit(RtSite site, int status) {
  (void)site;
  ends();
  _exit(status);
}
void rt_rec__Exit(RtSite site, int status) {
  (void)site;
  ends();
  _Exit(status);
}

// The event is told before, as it is the last that is known of the thread but for handlers.
HIDDEN void roll_cancel(const RtNode *n) {
  rt_enf_before(n, NULL);
  rt_enf_after(n);
  rt_enf_cancelled();
}

// In no schedule that is rolled.
void rt_rec_other(RtSite site, const void *object) {
  (void)object;
  roll_take(site, "an operation without a model");
}
