/* widths, signs, division, a switch, and an object that the input chooses */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock[8];
static int done;
static void take(int i) {
  pthread_mutex_lock(&lock[i]);
  ++done;
  pthread_mutex_unlock(&lock[i]);
}
static void *worker(void *x) {
  take(0);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  if (argc != 3) return 2;
  long a = atol(argv[1]);
  unsigned b = (unsigned)atoi(argv[2]);
  for (int i = 0; i < 8; ++i) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&t, NULL, worker, NULL);
  switch (a % 5) {
    case 3:
      take(1);
      break;
    case 1:
      take(2);
      take(2);
      break;
    default:
      take(3);
  }
  if (b / 3 > 1000) take(4);
  if ((short)a < 0) take(5);
  take((int)(b % 8));
  pthread_join(t, NULL);
  printf("%d\n", done);
  return 0;
}
