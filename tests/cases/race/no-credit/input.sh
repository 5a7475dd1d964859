# That a trylock finds the mutex taken puts it behind the lock in the schedule, and lets nobody see what came before that.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held, tried;
static int x;
static void *first(void *arg) {
  x = 1;
  pthread_mutex_lock(&m);
  atomic_store_explicit(&held, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&tried, memory_order_relaxed)) ;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *second(void *arg) {
  while (!atomic_load_explicit(&held, memory_order_relaxed)) ;
  int busy = pthread_mutex_trylock(&m);
  atomic_store_explicit(&tried, 1, memory_order_relaxed);
  if (busy) x = 2;
  return arg;
}
$END_OF_THREADS
X
made app
races app
