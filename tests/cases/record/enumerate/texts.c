/* a number inside an argument decides: that is no part of the language */
#include <pthread.h>
#include <stdlib.h>
static void *work(void *a) { return a; }
int main(int argc, char **argv) {
  pthread_t t;
  int p = argc > 1 && argv[1][0] == '-' ? atoi(argv[1] + 1) : 1;
  for (int i = 0; i < p && i < 3; ++i) pthread_create(&t, 0, work, 0), pthread_join(t, 0);
  return 0;
}
