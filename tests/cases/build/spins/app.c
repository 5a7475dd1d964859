/* main's turn at the lock comes first; with an argument it spins before that, until the other has set what its own turn
   comes before. Second argument: it naps between. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int set;
static int turns;

static void *worker(void *p) {
  usleep(200000);
  pthread_mutex_lock(&m);
  ++turns;
  pthread_mutex_unlock(&m);
  set = 1;
  return p;
}

int main(int argc, char **argv) {
  pthread_t t;
  (void)argv;
  pthread_create(&t, NULL, worker, NULL);
  for (; argc > 1 && !set;)
    if (argc > 2) usleep(1000);
  pthread_mutex_lock(&m);
  printf("%d before\n", turns++);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return turns;
}
