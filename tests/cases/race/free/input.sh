# Memory is freed while another thread uses it, or behind a join.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdlib.h>
static int *shared, *joined;
static volatile int sink;
static void *first(void *arg) {
  sink = *shared;
  *joined += 1;
  return arg;
}
static void *second(void *arg) {
  free(shared);
  return arg;
}
int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  joined = malloc(sizeof *joined);
  *shared = *joined = 1;
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  pthread_create(&a, 0, second, 0);
  pthread_create(&b, 0, first, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(joined);
  return 0;
}
X
made app
races app
specialize race --all ./app --sigma app.sigma | grep -E -A1 'Write|Previous|Location'
