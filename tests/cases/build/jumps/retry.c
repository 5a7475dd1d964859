// Work is tried again from the top, several times, from deeper and deeper below, with locks taken in between.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int n) {
  pthread_mutex_lock(&lock);
  total += n;
  pthread_mutex_unlock(&lock);
}

static void dive(jmp_buf top, int depth, int how) {
  add(1);
  if (!depth) longjmp(top, how);
  dive(top, depth - 1, how);
  add(1000);
}

static void *work(void *arg) {
  jmp_buf top, inner;
  volatile int tries = 0, steps = 0;
  int how = setjmp(top);
  add(how);
  if (++tries < 4) dive(top, tries, tries);
  for (volatile int i = 0; i < 3; ++i) {
    if (setjmp(inner) == 0) {
      add(10);
      if (i != 1) longjmp(inner, 1);
      add(20);
    } else {
      ++steps;
    }
  }
  if (++tries == 5) longjmp(top, 100);
  *(int *)arg = steps;
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t[2];
  int steps[2] = {0, 0};
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, &steps[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d %d %d\n", total, steps[0], steps[1]);
  return argc + !argv - 1;
}
