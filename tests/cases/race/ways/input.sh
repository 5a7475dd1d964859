# What the way to an access says of its address: cases of a switch, the first round of a loop that asks at its end, the
# side of a branch that is taken.
. "$TOP/tests/races.sh"
program() {
  cat <<X
#include <pthread.h>
#include <stdlib.h>
static int a, b, v[8], n, mode;
static void *first(void *arg) {
$1
  return arg;
}
static void *second(void *arg) {
$2
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  n = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
X
}
look() {
  program "$2" "$3" > "$1.c"
  flags=-O0 made "$1"
  specialize constrain "$1.sigma" --schedule 0 --when true
  races "$1"
}
look switch '  switch (n) {
    case 1:
      v[n] = 1;
      break;
    case 5:
      v[n] = 2;
      break;
  }' '  v[1] = 3;'
look loop '  int i = 0;
  do
    v[i] = 1;
  while (++i < n);' '  if (n <= 0) v[0] = 2;'
look side '  int *p;
  if (mode) p = &b;
  else p = &a;
  *p = 1;' '  a = 2;'
