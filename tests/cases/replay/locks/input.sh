# What a lock orders: a scheduled one gives no witness, an excluded one refutes it. What never overlaps is refuted too.
export XDG_CACHE_HOME=$PWD/cache
cat > locks.c <<X
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long counter, part[2];
static void *worker(void *a) {
  part[*(int *)a] = 1;
  for (int i = 0; i < 10; ++i) {
    pthread_mutex_lock(&m);
    counter += 1;
    pthread_mutex_unlock(&m);
  }
  return a;
}
int main(void) {
  pthread_t t[2];
  int id[2] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, &id[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  printf("%ld\n", counter);
  return 0;
}
X
specialize-cc -g -pthread locks.c -o locks
told() { sed 's/0x[0-9a-f]*/0xN/g; s/%[0-9]*/%N/g'; }
specialize record -o in.sigma -- ./locks
try test_witness ./locks in.sigma 0 1.2:locks.c:9:w 2.2:locks.c:9:r 2>&1 | sed 's/sigma:[0-9]*/sigma:N/' | told
specialize record --exclude auto:1 -o out.sigma -- ./locks
test_witness ./locks out.sigma 0 1.1:locks.c:9:w 2.1:locks.c:9:r > out.sched
specialize check ./locks out.sched
try specialize replay ./locks out.sched | told
test_witness ./locks out.sigma 0 1.1:locks.c:6:w 2.1:locks.c:6:w > part.sched
try specialize replay ./locks part.sched | told
