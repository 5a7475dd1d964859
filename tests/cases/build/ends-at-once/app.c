/* The process ends by _exit while another thread is still at work: that work belongs to the schedule. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t go, more;

static void *worker(void *p) {
  sem_wait(&go);
  usleep(100000);
  printf("worker\n"), fflush(stdout);
  sem_post(&more);
  return p;
}

int main(int argc, char **argv) {
  pthread_t t;
  sem_init(&go, 0, 0);
  sem_init(&more, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
  sem_post(&go);
  usleep(argc > 1 ? (useconds_t)atoi(argv[1]) : 400000);
  _exit(3);
}
