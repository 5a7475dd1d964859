// The constraint speaks of the argument as it was at first.
#include <pthread.h>
#include <stdlib.h>
int a[16];
void *worker(void *p) {
  a[7] = 1;
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t;
  argv[1][0] = '7';
  pthread_create(&t, 0, worker, 0);
  a[atoi(argv[1])] = 3;
  pthread_join(t, 0);
  return 0;
}
