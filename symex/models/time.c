// The recording has no clock. Time goes on with the instructions of the run, from a moment that is always the
// same.
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include "host.h"

enum { EPOCH = 1600000000 };

static unsigned long now(void) {
  host_assume("the time is made up: the recording does not have it");
  return host_nanoseconds();
}
int clock_gettime(clockid_t clock, struct timespec *to) {
  unsigned long n = now();
  to->tv_sec = (clock == CLOCK_REALTIME ? EPOCH : 1000) + (long)(n / 1000000000);
  to->tv_nsec = (long)(n % 1000000000);
  return 0;
}
int clock_getres(clockid_t clock, struct timespec *to) {
  (void)clock;
  if (to) to->tv_sec = 0, to->tv_nsec = 1;
  return 0;
}
int timespec_get(struct timespec *to, int base) {
  clock_gettime(CLOCK_REALTIME, to);
  return base;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  struct timespec t;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &t);
  to->tv_sec = t.tv_sec, to->tv_usec = t.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *to) {
  time_t t = EPOCH + (time_t)(now() / 1000000000);
  if (to) *to = t;
  return t;
}
clock_t clock(void) {
  return (clock_t)(now() / 1000);
}
double difftime(time_t a, time_t b) {
  return (double)(a - b);
}

int nanosleep(const struct timespec *want, struct timespec *rest) {
  (void)want, (void)rest;
  host_yield();
  return 0;
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *want, struct timespec *rest) {
  (void)clock, (void)flags, (void)want, (void)rest;
  host_yield();
  return 0;
}
int usleep(unsigned n) {
  (void)n;
  host_yield();
  return 0;
}
unsigned sleep(unsigned n) {
  (void)n;
  host_yield();
  return 0;
}
int thrd_sleep(const struct timespec *want, struct timespec *rest) {
  return nanosleep(want, rest);
}
void thrd_yield(void) {
  host_yield();
}
int sched_yield(void) {
  host_yield();
  return 0;
}
struct tm *localtime(const time_t *t) {
  (void)t;
  host_refuse("localtime, of which the recording says nothing");
}
