// Lines where no schedule can begin.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf here;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(int argc, char **argv) {
  int n = 0;
  for (int i = 0; i < argc; ++i)
    n += argv[i][0];
  if (argc > 7) n = 1; else n += 2;
  switch (argc) {
    case 5: n = 7; break; case 6: n = 9; break; }
  if (argc > 9 && main(argc - 1, argv)) return 1;
  if (argc > 8) work(0);
  pthread_t t;
  pthread_create(&t, 0, work, &n);
  pthread_join(t, 0);
  return n == 0;
}
