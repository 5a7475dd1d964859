# More pairs than anybody reads are bounded, also by one write among many accesses, and by one object among several; what
# is left out is said.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static int many, other;
static void *first(void *arg) {
  many = 1;
  many = 2;
  other = 3;
  return arg;
}
static void *second(void *arg) {
  many = 4;
  many = 5;
  many = 6;
  other = 7;
  return arg;
}
$END_OF_THREADS
X
flags=-O0 made app
races app
echo "two pairs, so one of an object:"
races app --limit 2
echo "one pair:"
races app --limit 1
specialize race ./app --sigma app.sigma --limit 0 || echo "exit $?"
