# Calls that may synchronize and never do in a schedule, however many: they are no events of its clones, and what they touch
# is looked at all the same.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, own[2];
static void rarely(int i) {
  if (i < 0) {
    pthread_mutex_lock(&m);
    sum = 0;
    pthread_mutex_unlock(&m);
  }
  sum += i;
}
static void run(int *mine) {
  for (int i = 0; i < 300; ++i) {
    rarely(i);
    ++*mine;
  }
}
static void *first(void *arg) { return run(&own[0]), arg; }
static void *second(void *arg) { return run(&own[1]), arg; }
$END_OF_THREADS
X
flags=-O0 made app
races app --budget 3000
