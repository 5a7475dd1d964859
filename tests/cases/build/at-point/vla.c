// Arrays of variable length: made in main's first block, in a block that ends behind the point, in loops.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  ++*(int *)arg;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(int argc, char **argv) {
  int first[argc + 1];
  memset(first, 0, sizeof first);
  long sum = 0;
  if (argc < 9) {
    char inner[argc * 100];
    memset(inner, argc, sizeof inner);
    first[argc] = 20;
    pthread_t t;
    pthread_create(&t, 0, work, &first[argc]);
    pthread_join(t, 0);
    for (int i = 0; i < argc * 100; ++i) sum += inner[i];
  }
  for (int i = 0; i < 300; ++i) {
    char big[argc * 100000];
    memset(big, i & 1, sizeof big);
    sum += big[i];
  }
  printf("%ld %d %s\n", sum, first[argc], argv[argc - 1] + strlen(argv[argc - 1]));
  return 0;
}
