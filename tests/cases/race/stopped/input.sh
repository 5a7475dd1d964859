# A signal ends the replays; what was found until then is written, and nothing stays behind.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int count;
static void *worker(void *arg) {
  count = count + 1;
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  if (count == 2) return 0;
  FILE *f = fopen("pid.new", "w");
  fprintf(f, "%d\n", (int)getpid());
  fclose(f);
  rename("pid.new", "pid");
  for (;;) pause();
}
X
made app
begun() { for ((i = 0; i < 600; ++i)); do [ -e pid ] && return; sleep 0.1; done; echo 'no replay began'; }
gone() { for ((i = 0; i < 100; ++i)); do kill -0 "$1" 2> /dev/null || return 0; sleep 0.1; done; echo 'the replay lives on'; }
# stopped SIGNAL [options]: sends it while a replay runs that would not end.
stopped() {
  local sig=$1
  shift
  rm -f pid
  env --default-signal specialize race --all ./app --sigma app.sigma --evidence off --replay --timeout 600 "$@" > out 2> err &
  begun
  kill "-$sig" $!
  wait $!
  echo "$sig: exit $?"
  gone "$(cat pid)"
}
for sig in INT TERM HUP; do
  stopped $sig --format json --witness w -o report.json
  pairs report.json
  ls w
  rm -r w
  cat out err
done
stopped TERM
cat out
