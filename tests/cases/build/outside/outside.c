/* Code outside the module calls back functions that synchronize: qsort, pthread_once, atexit, a key's destructor,
   bsearch inside qsort. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int compared, begun, destroyed, ended;

static int by_number(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  ++compared;
  pthread_mutex_unlock(&lock);
  return *(const int *)a - *(const int *)b;
}

static void at_end(void) {
  pthread_mutex_lock(&lock);
  ++ended;
  printf("end %d, compared %s, destroyed %d\n", ended, compared ? "some" : "none", destroyed);
  pthread_mutex_unlock(&lock);
}

static void destroy(void *p) {
  pthread_mutex_lock(&lock);
  destroyed += *(int *)p;
  pthread_mutex_unlock(&lock);
}

static void begin(void) {
  pthread_mutex_lock(&lock);
  ++begun;
  pthread_mutex_unlock(&lock);
  pthread_key_create(&key, destroy);
  atexit(at_end);
}

static void *worker(void *p) {
  int numbers[8] = {5, 3, 8, 1, 9, 2, 7, 4}, wanted = 7;
  pthread_once(&once, begin);
  pthread_setspecific(key, p);
  qsort(numbers, 8, sizeof *numbers, by_number);
  int *found = bsearch(&wanted, numbers, 8, sizeof *numbers, by_number);
  return found ? (void *)(found - numbers) : p;
}

int main(int argc, char **argv) {
  pthread_t t[3];
  int one = argc > 1 ? atoi(argv[1]) : 1;
  long sum = 0;
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, worker, &one);
  for (int i = 0; i < 3; ++i) {
    void *r;
    pthread_join(t[i], &r);
    sum += (long)r;
  }
  printf("begun %d, places %ld\n", begun, sum);
  return 0;
}
