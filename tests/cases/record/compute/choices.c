/* the input chooses which thread is joined first, what a thread runs, the kind of a mutex, and what a semaphore begins with */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock, plain = PTHREAD_MUTEX_INITIALIZER;
static sem_t some;
static int done;
static void *one(void *x) {
  pthread_mutex_lock(&plain);
  done += 1;
  pthread_mutex_unlock(&plain);
  return x;
}
static void *ten(void *x) {
  pthread_mutex_lock(&plain);
  done += 10;
  pthread_mutex_unlock(&plain);
  return x;
}
static void prepare(int depth, int n) {
  if (depth)
    prepare(depth - 1, n);
  else
    sem_init(&some, 0, (unsigned)n + 1);
}
int main(int argc, char **argv) {
  pthread_t t[2];
  pthread_mutexattr_t a;
  if (argc != 2) return 2;
  int n = atoi(argv[1]);
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, n ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&lock, &a);
  prepare(3, n);
  pthread_create(&t[0], NULL, n > 3 ? ten : one, NULL);
  pthread_create(&t[1], NULL, one, NULL);
  pthread_join(t[n & 1], NULL);
  pthread_join(t[1 - (n & 1)], NULL);
  pthread_mutex_lock(&lock);
  sem_wait(&some);
  printf("%d\n", done);
  return 0;
}
