# The report for people: a counter that two threads count up, of which one holds a lock.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void count(int n) {
  counter += n;
}
static void *careful(void *arg) {
  pthread_mutex_lock(&lock);
  count(1);
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *careless(void *arg) {
  count(2);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, careful, NULL);
  pthread_create(&b, NULL, careless, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", counter);
  return 0;
}
X
made app
try specialize race --all ./app --sigma app.sigma
try specialize race --all ./app --sigma app.sigma -o report.txt
grep -c WARNING report.txt
# Files are named from where it is called.
mkdir sub && cd sub
specialize race --all ../app --sigma ../app.sigma | grep '#0 count'
