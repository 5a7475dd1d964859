# The walk back from a line, its direct causes, and the values at the line, from a second run.
cat > sum.c <<'END'
#include <pthread.h>
#include <stdio.h>
static long part[2];
static void *work(void *p) {
  long k = (long)p;
  part[k] = k * 10 + 7;
  return NULL;
}
int main(void) {
  pthread_t t[2];
  long unused = 3;
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  unused += part[0];
  long sum = part[0] + part[1];
  printf("%ld %ld\n", sum, unused);
  return sum != 24;
}
END
specialize-cc -g -O0 -pthread sum.c -o sum
specialize record -o sum.sigma -- ./sum 2> /dev/null
try test_backwalk ./sum sum.sigma 15
try test_backwalk ./sum sum.sigma 14
