# Runs that hang: who waits for whom is told when the run ends, whatever ends it; the schedule is kept, shown, and replayed.
. "$TOP/tests/deadlocks.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&b);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&a);
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  if (argc > 1) {
    FILE *f = fopen("pid.new", "w");
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
    usleep(200000);
    rename("pid.new", "pid");
    for (;;) pause();
  }
  pthread_join(t, 0);
}
X
specialize-cc -g -pthread app.c -o app
picture() { grep -v 'threads, .* events\|which is already in'; }
echo 'all of them:'
try specialize record -o app.sigma -- ./app 2>&1 | picture | sed '/ Killed /d'
specialize show app.sigma | sed '1,/stands still/d'
try specialize check app app.sigma
echo 'some of them, ended:'
ended() {
  rm -f pid app.sigma
  env --default-signal specialize record -o app.sigma "${@:2}" -- ./app loops > out 2>&1 &
  [ "$1" = none ] || { for ((i = 0; i < 600; ++i)); do [ -e pid ] && break; sleep 0.1; done; kill "-$1" "$(cat pid)"; }
  wait $!
  echo "exit $?"
  picture < out
}
ended INT
ended KILL 2>&1 | sed '/ Killed /d'
ended none --timeout 1
specialize deadlock ./app --sigma app.sigma --replay --witness w --format json -o out.json
told out.json
try specialize replay ./app w/0.sched
try specialize record --from . --timeout 1 ./app
