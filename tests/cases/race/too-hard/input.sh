# What the solver cannot say is told as a race, and why.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdlib.h>
static int a[64];
static unsigned n, k;
static void *first(void *arg) {
  a[n * k % 8] = 1;
  return arg;
}
static void *second(void *arg) {
  a[9] = 1;
  a[n % 8] = 2;
  a[7] = 2;
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  if (argc > 2) n = atoi(argv[1]), k = atoi(argv[2]);
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
X
made app 3 4
specialize constrain app.sigma --schedule 0 --when true
races app
specialize race --all ./app --sigma app.sigma --timings 2>&1 | grep -o 'Why:.*\|[0-9]* asked.*'
