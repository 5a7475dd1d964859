/* The process ends while a thread waits at a barrier; with an argument main comes there, too. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t barrier;

static void *worker(void *p) {
  pthread_barrier_wait(&barrier);
  printf("behind\n"), fflush(stdout);
  return p;
}

int main(int argc, char **argv) {
  pthread_t t;
  (void)argv;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t, NULL, worker, NULL);
  usleep(300000);
  if (argc == 1) exit(7);
  pthread_barrier_wait(&barrier);
  pthread_join(t, NULL);
  return 8;
}
