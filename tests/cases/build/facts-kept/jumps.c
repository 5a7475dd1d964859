/* setjmp comes back over events: what was stored then is not known */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf back;
static int n, rounds;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  int came = setjmp(back);
  pthread_mutex_lock(&m);
  rounds++;
  if (rounds == 3) puts("third");
  pthread_mutex_unlock(&m);
  if (came < 2) longjmp(back, came + 1);
  printf("%d %d %d\n", n, rounds, came);
  return 0;
}
