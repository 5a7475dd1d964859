# What may not have been written is not what is read.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static int a, b;
static int *p = &a;
static void *writer(void *arg) {
  a = 2;
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (argc > 1) p = &b;
  *p = 5;
  pthread_join(t, 0);
  return 0;
}
X
flags=-O0 made app
specialize constrain app.sigma --schedule 0 --when true
races app
# Of two that write unordered, neither is surely the last.
cat > two.c <<X
#include <pthread.h>
static int a, b;
static int *p;
static void *one(void *arg) {
  p = &a;
  return arg;
}
static void *other(void *arg) {
  p = &b;
  return arg;
}
static void *writer(void *arg) {
  a = 2;
  b = 2;
  return arg;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_create(&v, 0, writer, 0);
  *p = 5;
  pthread_join(v, 0);
  return 0;
}
X
flags=-O0 made two
races two
