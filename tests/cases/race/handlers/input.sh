# What is called from outside in a run that is held to a schedule is a clone, or leaves: the original is only entered by
# handlers of signals, and by what runs before main. That a program may abort is no reason to think of handlers.
. "$TOP/tests/races.sh"
cat > head.h <<X
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int never, now;
static int v[2] = {2, 1};
static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&m);
  now++;
  pthread_mutex_unlock(&m);
  return *(const int *)a - *(const int *)b;
}
static int rarely(const void *a, const void *b) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  never++;
  return a != b;
}
X
cat > none.c <<X
#include "head.h"
static void *sorts(void *arg) {
  qsort(v, 2, sizeof *v, arg ? rarely : compare);
  never++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  assert(v[0] == 2);
  pthread_create(&a, 0, sorts, 0);
  never++;
  pthread_join(a, 0);
  pthread_create(&b, 0, sorts, 0);
  pthread_join(b, 0);
  return 0;
}
X
cat > handler.c <<X
#include "head.h"
static void handler(int n) {
  rarely(&n, &n);
}
static void *sorts(void *arg) {
  qsort(v, 2, sizeof *v, arg ? rarely : compare);
  never++;
  return 0;
}
int main(void) {
  pthread_t a;
  signal(SIGUSR1, handler);
  pthread_create(&a, 0, sorts, 0);
  pthread_join(a, 0);
  return 0;
}
X
for app in none handler; do
  echo "$app:"
  made $app
  races $app
done
