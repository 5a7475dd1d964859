# Which schedule a specialized program takes, what it says about it, and how a person has the last word.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, steps = 3;
__thread short local_to_threads = -2;
const char *name = "alice";
char missing_text[3] = {'a', 'b', 'c'};
extern int nobody_defines_this __attribute__((weak));
extern unsigned long long environ_like;
unsigned long long environ_like = 1ull << 63;
static void *run(void *a) {
  pthread_mutex_lock(&m);
  sum += *(int *)a;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t[4];
  int n = argc > 1 ? atoi(argv[1]) : 1, at_start = errno;
  for (int i = 0; i < n; ++i) pthread_create(&t[i], 0, run, &steps);
  for (int i = 0; i < n; ++i) pthread_join(t[i], 0);
  return printf("%d %d %d\n", sum, at_start, &nobody_defines_this ? nobody_defines_this : 0) < 0;
}
X
specialize-cc -O1 -g -pthread app.c -o app
for n in 1 2 3; do ./app $n > /dev/null && specialize record -o app.sigma -- ./app $n > /dev/null 2>&1; done
when() { specialize constrain app.sigma --schedule $1 --when "$2" > /dev/null 2>&1; }
build() { specialize build ./app --sigma app.sigma -o app.spec 2>&1 | sed 's/: [0-9]* schedule.*/: built/'; }
when 0 '(= (atoi (argv 1)) 1)'
when 1 "$(echo '(and (= (atoi (argv 1)) 2) (= (var app.c:steps) 3) (= (var name string) "alice") (= (var local_to_threads) -2)
  (not (defined (var missing_text string))) (= (addr nobody_defines_this) 0) (bvult 1 (var environ_like))
  (< (var environ_like) 0) (= (mem int32 (addr app.c:steps)) 3) (not (defined (mem int8 (var environ_like))))
  (not (defined (var nobody_defines_this int32))))' | tr '\n' ' ')"
when 2 '(and (= (strtol (argv 1)) 3) (= (strtol "99999999999999999999") 0x7fffffffffffffff) (= (env "FLAVOUR") "x"))'
grep '^when' app.sigma
build
export SPECIALIZE_VERBOSE=1
for n in 1 2 3 4; do try ./app.spec $n; done
FLAVOUR=x ./app.spec 3
./app.spec
echo "a person's choice"
SPECIALIZE_SCHEDULE=none ./app.spec 2
FLAVOUR=y SPECIALIZE_SCHEDULE=2 ./app.spec 3
SPECIALIZE_SCHEDULE=3 try ./app.spec 3
for odd in x 2x -1 "" 99999999999999999999; do SPECIALIZE_SCHEDULE=$odd try ./app.spec 2; done
SPECIALIZE_VERBOSE=0 ./app.spec 2
echo "what is not there"
when 1 '(= (var nothing) 1)'; build
when 1 '(and false (= (var steps) 1))'; build
when 1 '(= (var name) 1)'; build
when 1 '(= (var local_to_threads int32) 1)'; build
