// Runs what it is given in two threads of its own.
#include <pthread.h>
typedef void (*Step)(int);
static Step step;
static void *run(void *p) {
  step((int)(long)p);
  return 0;
}
void parallel(Step s) {
  pthread_t t[2];
  step = s;
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
}
struct {
  int version;
  void (*run)(Step);
} plugin = {1, parallel};
void (*get(int which))(Step) {
  return which ? parallel : 0;
}
