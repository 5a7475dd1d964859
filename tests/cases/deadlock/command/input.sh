# One command: runs, some of which may hang, and what they leave; baseline, suppressions, formats.
. "$TOP/tests/deadlocks.sh"
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void *first(void *arg) {
  both(&a, &b);
  return arg;
}
static void *second(void *arg) {
  both(&b, &a);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  usleep(20000);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
X
specialize-cc -g -pthread app.c -o app
specialize deadlock --runs 3 --format json -o out.json -- ./app
echo "exit $?"
told out.json
recorded app
specialize deadlock ./app --sigma app.sigma --replay | sed '/^SUMMARY/q; /Schedule:/d; /Also:/d; /Input:/d'
echo 'known:'
specialize deadlock ./app --sigma app.sigma --baseline out.json --fail-on new --format json -o next.json
echo "exit $?"
told next.json
echo 'suppressed:'
echo 'deadlock:both' > hidden
specialize deadlock ./app --sigma app.sigma --suppressions hidden | grep -o 'no open deadlock.*'
echo 'race:both' > hidden
specialize deadlock ./app --sigma app.sigma --suppressions hidden 2>&1 | grep -o 'warning: .*'
echo 'formats:'
specialize deadlock ./app --sigma app.sigma --replay --format github | sed 's/T[0-9]/T/g' | grep -o '^::.*waits'
specialize deadlock ./app --sigma app.sigma --format sarif | python3 -c '
import json, sys
run = json.load(sys.stdin)["runs"][0]
print(run["tool"]["driver"]["rules"][0]["name"], *{(r["ruleId"], r["level"]) for r in run["results"]})'
specialize deadlock ./app --sigma app.sigma --format html | grep -o '<title>Deadlocks'
echo 'limits:'
specialize deadlock ./app --sigma app.sigma --timings 2>&1 | grep -o 'waits for a lock by.*'
specialize deadlock ./app --sigma app.sigma --limit 1 2>&1 | grep -o 'not all cycles.*'
try specialize deadlock ./app --sigma app.sigma --limit 0
echo 'usage:'
try specialize deadlock
try specialize deadlock ./app
try specialize deadlock ./app --sigma app.sigma --fail-on seen
try specialize deadlock ./app --sigma app.sigma --fail-on replayed
try specialize deadlock ./app --sigma none.sigma
cp app.sigma cut.sigma
echo stands t1 unlock 0 m0 >> cut.sigma
try specialize deadlock ./app --sigma cut.sigma
