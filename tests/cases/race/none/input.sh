# What is said where there is no race, and never more than that.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, mine[2];
static void *worker(void *arg) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    mine[(long)arg]++;
  }
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return counter + mine[0] + mine[1] == 12 ? 0 : 1;
}
X
made app
try specialize race ./app --sigma app.sigma
races app --replay
for f in sarif html github; do specialize race ./app --sigma app.sigma --format $f > out; echo "$f: $?"; done
