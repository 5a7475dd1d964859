# How a recorded program ends: its status and its signals are the program's own.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
int main(int argc, char **argv) {
  pthread_t t;
  const char *how = argc > 1 ? argv[1] : "";
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  if (!strcmp(how, "exit")) exit(3);
  if (!strcmp(how, "_exit")) _exit(4);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "kill")) raise(SIGKILL);
  if (!strcmp(how, "crash")) *(volatile int *)argv[2] = (int)strlen(argv[argc]);
  if (!strcmp(how, "thread")) pthread_exit(0);
  if (!strcmp(how, "fork")) { if (!fork()) { run(0); _exit(0); } wait(0); }
  return 7;
}
X
specialize-cc -O0 -g -pthread -w app.c -o app
for how in return exit _exit abort kill crash thread; do
  rm -f app.sigma
  bash -c "specialize record -o app.sigma -- ./app $how" 2>&1 | sed 's/^.*line [0-9]*: *[0-9]* //'
  specialize record -o again.sigma -- ./app $how > /dev/null 2>&1
  echo "$how: exit $?"
  specialize check ./app app.sigma
  grep -E '^(origin|incomplete|crash|frame .* app.c)' app.sigma | sed 's/0x[0-9a-f]*/ADDRESS/'
done 2>&1 | grep -v -E 'Aborted|Killed|Segmentation'
rm -f app.sigma
try specialize record -o app.sigma -- ./app fork
try specialize record -o app.sigma -- ./nonesuch
cp /bin/true plain
try specialize record -o app.sigma -- ./plain
try specialize record -o app.sigma --order any -- ./app
try specialize record --max-events x -- ./app
XDG_CACHE_HOME=/dev/null/x specialize record -o y.sigma -- ./app 2>&1 | sed "s/record-[0-9a-f-]*/record-KEY/"; echo "exit ${PIPESTATUS[0]}"
