# Threads that run one routine which never synchronizes, found out late: the routine is chosen by a value.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static int x, y;
static void *one(void *arg) { return x++, arg; }
static void *other(void *arg) { return y++, arg; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, i < 2 ? one : other, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  return x + y == 4 ? 0 : 1;
}
X
made app
races app
