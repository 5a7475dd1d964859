# Leaving mutexes out: which may be, which not and why; what is locked at the same place goes together.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define M PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t plain = M, inner = M, outer = M, tried = M, waited = M, slow = M, busy = M, array[4] = {M, M, M, M};
static pthread_mutex_t wrapped = M, other = M, failing = M;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n, go;
static int add(int x) {
  pthread_mutex_lock(&plain);
  n += x;
  int all = n;
  pthread_mutex_unlock(&plain);
  return all;
}
static void lock(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void unlock(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
static int early(int x) {
  pthread_mutex_lock(&failing);
  if (x > 1000) {
    pthread_mutex_unlock(&failing);
    return 1;
  }
  if (x > 2000) abort();
  pthread_mutex_unlock(&failing);
  return 0;
}
static void nested(void) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  ++n;
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
}
static void *run(void *a) {
  for (int i = 0; i < 4; ++i) add(i);
  for (int i = 0; i < 4; ++i) { pthread_mutex_lock(&array[i]); ++n; pthread_mutex_unlock(&array[i]); }
  lock(&wrapped), ++n, unlock(&wrapped);
  lock(&other), ++n, unlock(&other);
  early(1);
  nested();
  if (!pthread_mutex_trylock(&tried)) pthread_mutex_unlock(&tried);
  pthread_mutex_lock(&slow), usleep(1), pthread_mutex_unlock(&slow);
  pthread_mutex_t *heap = malloc(sizeof *heap);
  pthread_mutex_init(heap, 0);
  pthread_mutex_t *both[] = {heap, &busy};
  for (int i = 0; i < 2; ++i) { pthread_mutex_lock(both[i]); ++n; pthread_mutex_unlock(both[i]); }
  pthread_mutex_lock(&waited), go = 1, pthread_cond_signal(&c), pthread_mutex_unlock(&waited);
  return a;
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, run, argv);
  pthread_join(t, 0);
  pthread_mutex_lock(&waited);
  while (!go) pthread_cond_wait(&c, &waited);
  pthread_mutex_unlock(&waited);
  if (argc > 1) { pthread_mutex_lock(&plain); puts("slow"); pthread_mutex_unlock(&plain); }
  return n < 0;
}
X
specialize-cc -O1 -g -pthread app.c -o app
record() { specialize record -o "$1" "${@:2}" -- ./app; }
record all.sigma 2>&1 | sed 's/^specialize: //'
for m in plain array wrapped failing tried waited slow busy outer inner nobody; do
  echo "mutex $m" > list
  record $m.sigma --exclude list 2>&1 | sed 's/^specialize: //'
  specialize check ./app $m.sigma > /dev/null && python3 "$TOP/tests/referee.py" $m.sigma
  grep -E '^(exclude|left-out|site .* excluded$)' $m.sigma
done
# Inner and outer together: the inner one first, then nothing is left inside the outer one.
printf '# both\nmutex outer\nmutex inner\n' > list
record both.sigma --exclude list 2>&1 | sed 's/^specialize: //'
specialize check ./app both.sigma
# As many as needed, the busiest first.
record auto.sigma --exclude auto 2>&1 | sed 's/^specialize: //'
record auto0.sigma --exclude auto:0 2>&1 | sed 's/^specialize: //'
grep ^exclude auto0.sigma
specialize check ./app auto0.sigma
# A file that excludes something keeps doing so, and drops it from what it has.
try record all.sigma --exclude list
try record all.sigma
specialize check ./app all.sigma
grep -E '^(schedules|exclude|left-out|end)' all.sigma
# Plain may wait in this run: what is excluded already cannot be.
try record plain.sigma --order total
specialize record -o plain.sigma -- ./app slow 2>&1 | sed 's/^specialize: //'
echo 'mutex' > list; try record x.sigma --exclude list
echo 'rwlock plain' > list; try record x.sigma --exclude list
try record x.sigma --exclude nowhere
try record x.sigma --exclude auto:x
ls x.sigma 2>&1
# By hand: an event at an excluded site, on an excluded object.
sed 's/^exclude mutex plain/exclude mutex waited/' plain.sigma > bad.sigma; try specialize check ./app bad.sigma
sed '0,/^\(site .* create [^ ]*\)$/s//\1 excluded/' all.sigma > bad.sigma; try specialize check ./app bad.sigma
sed '0,/^\(site .* unlock [^ ]*\)$/s//\1 excluded/' all.sigma > bad.sigma; try specialize check ./app bad.sigma
try python3 "$TOP/tests/referee.py" bad.sigma
