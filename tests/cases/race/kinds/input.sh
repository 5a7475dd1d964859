# Bit-fields share their memory; plain and atomic accesses race, two atomic ones do not; threads have their own
# thread-local variables, unless they hand them out; locals that are handed out.
. "$TOP/tests/races.sh"
threads() {
  cat > app.c <<X
#include <pthread.h>
#include <stdatomic.h>
static struct { unsigned a : 3, b : 5; char c; } bits;
static atomic_int number;
static _Thread_local int own;
static int *handed;
static void *first(void *arg) {
  $1
  return arg;
}
static void *second(void *arg) {
  $2
  return arg;
}
$END_OF_THREADS
X
  rm -f app.sigma
  made app
  races app
}
threads 'bits.a = 1;' 'bits.b = 2;'
threads 'bits.a = 1;' 'bits.c = 2;'
threads 'number++;' 'atomic_store_explicit(&number, 3, memory_order_relaxed);'
threads 'number++;' '*(int *)&number = 2;'
threads 'own = 1;' 'own = 2;'
threads 'own = 1; handed = &own; own = 2;' 'if (handed) *handed = 3;'
threads 'int mine = 1; handed = &mine; mine++;' 'if (handed) *handed = 3;'
