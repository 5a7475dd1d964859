// The body of a loop comes before what follows the loop, in whatever order blocks stand.
#include <pthread.h>
#include <stdlib.h>
int last, a[8], n;
void *worker(void *p) {
  for (int i = 0; i < n; i++) last = i;
  a[last] = 1;
  return NULL;
}
int main(int argc, char **argv) {
  n = atoi(argv[1]);
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  a[3] = 2;
  pthread_join(t, 0);
  return 0;
}
