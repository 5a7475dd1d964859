# A race behind which the program does not end: it is killed with what it started.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int count;
static void *worker(void *a) {
  count = count + 1;
  return a;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  if (count == 2) return 0;
  pid_t child = fork();
  if (!child)
    for (;;) pause();
  FILE *f = fopen("pid", "w");
  fprintf(f, "%d\n", (int)child);
  fclose(f);
  for (;;) pause();
}
X
specialize-cc -g -pthread app.c -o app
specialize record -o app.sigma -- ./app
test_witness ./app app.sigma 0 1.1:app.c:7:w 2.1:app.c:7:w > app.sched
try specialize replay --timeout 2 ./app app.sched | grep -v '^  [tm]'
sleep 0.2
# It may wait for somebody to ask how it ended.
grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$(cat pid)/status" 2> /dev/null && echo "the child lives" || echo "the child is gone"
