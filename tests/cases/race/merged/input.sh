# Several schedules, one finding for the same two places; one that only one of them has.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdlib.h>
static int always, sometimes, n;
static void *worker(void *arg) {
  always++;
  if (n > 2) sometimes++;
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t[4];
  n = argc > 1 ? atoi(argv[1]) : 2;
  for (int i = 0; i < n; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < n; ++i) pthread_join(t[i], 0);
  return 0;
}
X
made app 2
specialize record --constraint exact -o app.sigma -- ./app 3 2> run.err
specialize record --constraint exact -o app.sigma -- ./app 4 2> run.err
races app
specialize race --all ./app --sigma app.sigma | grep -E 'Location|Schedule|Input|Also|^checked'
races app --schedule 1
# A program that comes to no event but its end.
cat > none.c <<X
int x;
int main(void) { return x; }
X
made none
races none
