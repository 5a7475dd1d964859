# Races in code that stock passes delete: a load for nothing, a store that is overwritten, a function of no effect.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static int x, y;
static int idle(void) {
  return x;
}
static void *first(void *arg) {
  (void)x;
  idle();
  y = 1;
  y = 2;
  return arg;
}
static void *second(void *arg) {
  x = 1;
  y = 3;
  return arg;
}
$END_OF_THREADS
X
for flags in -O0 -O2; do
  rm -f app.sigma
  made app
  races app
done
