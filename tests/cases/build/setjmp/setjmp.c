// Errors by setjmp and longjmp. A jump within a segment is as in the original; one that skips events is not.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf top;
static int total;

static void add(int n) {
  pthread_mutex_lock(&lock);
  total += n;
  pthread_mutex_unlock(&lock);
}

static int parse(const char *s) {
  if (*s < '0' || *s > '9') longjmp(top, 2);
  return atoi(s);
}

static void *work(void *arg) {
  volatile int tries = 0;
  jmp_buf again;
  add(*(int *)arg);
  setjmp(again);
  if (++tries < *(int *)arg) longjmp(again, 1);
  add(tries);
  return NULL;
}

static int sum(char **argv, volatile int *bad) {
  int n = 0;
  for (; *argv; ++argv) {
    int how = setjmp(top);
    if (how == 2)
      ++*bad;  // and the next
    else
      n += parse(*argv);
  }
  return n;
}

int main(int argc, char **argv) {
  volatile int bad = 0, late = 0;
  int n = argc > 3 ? sum(argv + 3, &bad) : 0;
  if (setjmp(top)) {
    late = 1;
    if (argv[2][0] == 'x') {
      printf("nothing came of it\n");
      return 3;
    }
  } else if (argv[1][0] == 'e') {
    parse(argv[2]);
  }
  pthread_t t;
  pthread_create(&t, NULL, work, &n);
  add(1);
  pthread_join(t, NULL);
  if (argv[1][0] == 'l' && !late) parse(argv[2]);
  printf("total %d, bad %d, late %d\n", total, bad, late);
  return 0;
}
