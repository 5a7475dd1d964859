// args: 3
// args: 4
// args: 5
// args: 6
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t *forks;
static int seats;
static void *philosopher(void *arg) {
  int i = (int)(long)arg, left = i, right = (i + 1) % seats;
#ifdef FIXED
  if (left > right) left = right, right = i;
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t[8];
  seats = argc > 1 ? atoi(argv[1]) : 0;
  forks = malloc((unsigned)seats * sizeof *forks);
  for (int i = 0; i < seats; ++i) pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < seats; ++i) pthread_create(&t[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < seats; ++i) pthread_join(t[i], 0);
  free(forks);
}
