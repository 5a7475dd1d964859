// Names what the program has, and uses it in a thread of its own that runs before main.
#include <pthread.h>
extern int shared_count __attribute__((weak));
void take_step(int) __attribute__((weak));
static pthread_t t;
static void *run(void *p) {
  if (take_step) take_step(1);
  if (&shared_count) ++shared_count;
  return p;
}
__attribute__((constructor)) static void begin(void) {
  pthread_create(&t, 0, run, 0);
}
__attribute__((destructor)) static void end(void) {
  pthread_join(t, 0);
}
