# An access that cannot be held, for nobody knows what the function writes, has no witness; others are replayed.
. "$TOP/tests/races.sh"
echo 'void fill(int *p) { *p = 1; }' > native.c
cat > app.c <<X
#include <pthread.h>
void fill(int *p);
static int filled, plain;
static void *first(void *arg) {
  fill(&filled);
  plain = 1;
  return arg;
}
static void *second(void *arg) {
  filled = 2;
  plain = 2;
  return arg;
}
$END_OF_THREADS
X
gcc -c native.c -o native.o && specialize-cc -g -pthread app.c native.o -o app 2> /dev/null
specialize record -o app.sigma -- ./app 2> /dev/null
races app --replay 2> /dev/null | grep -v incomplete
