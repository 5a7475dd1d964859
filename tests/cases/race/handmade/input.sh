# A flag that is set with release order and waited for with acquire order orders what is around it; weaker ones do not.
. "$TOP/tests/races.sh"
program() {
  cat <<X
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int payload, seen;
static void *first(void *arg) {
  payload = 5;
  atomic_store_explicit(&flag, 1, memory_order_$1);
  return arg;
}
static void *second(void *arg) {
  while (!atomic_load_explicit(&flag, memory_order_$2)) ;
  seen = payload;
  return arg;
}
$END_OF_THREADS
X
}
for orders in 'release acquire' 'seq_cst seq_cst' 'relaxed acquire' 'release relaxed' 'relaxed relaxed'; do
  program $orders > app.c
  rm -f app.sigma
  made app
  echo "$orders:"
  races app
done
# The flag may be set by two: which one the loop saw is not known. What is written behind the flag is not ordered.
cat > app.c <<X
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int payload, late;
static void *first(void *arg) {
  payload = 5;
  atomic_store_explicit(&flag, 1, memory_order_release);
  late = 1;
  return arg;
}
static void *second(void *arg) {
  while (!atomic_load_explicit(&flag, memory_order_acquire)) ;
  payload += late;
  return arg;
}
$END_OF_THREADS
X
rm -f app.sigma
made app
races app
