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
