// Tickets under a lock: which thread has which is in the schedule, and so is who owns which part.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_ticket, owner[MOST];

static void *worker(void *name) {
  pthread_mutex_lock(&lock);
  int mine = next_ticket++;
  pthread_mutex_unlock(&lock);
  owner[mine] = 10 * mine + 1;
  (void)name;
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[MOST];
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n < 1 || n > MOST) return 2;
  for (int i = 0; i < n; ++i) pthread_create(&t[i], NULL, worker, &t[i]);
  for (int i = 0; i < n; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < n; ++i) printf("%d ", owner[i]);
  puts("");
  return 0;
}
