# What is said of one program by several verbs agrees; and that every run does the same is said only where no race is
# possible. Each verb takes the schedules as an operand and as --sigma.
export XDG_CACHE_HOME=$PWD/cache
cat > locks.c <<X
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *f(void *p) { pthread_mutex_lock(&a); ++x; pthread_mutex_unlock(&a); return p; }
static void *g(void *p) { pthread_mutex_lock(&SECOND); ++x; pthread_mutex_unlock(&SECOND); return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  printf("%d %d\n", x, b.__data.__lock);
}
X
for second in a b; do
  echo "== the second lock is $second"
  specialize-cc -g -pthread -DSECOND=$second locks.c -o app
  rm -f app.sigma
  specialize record -o app.sigma -- ./app 2>&1
  for way in "app.sigma" "--sigma app.sigma" "--sigma=app.sigma"; do
    specialize check ./app $way
    specialize show $way | grep events
    specialize race --all ./app $way | grep "^specialize\|^checked"
    specialize build ./app $way -o spec --races 2>&1 | sed 's/, [0-9.]* s$//'
    specialize alias ./app --shared $way | head -1
    specialize rebase ./app $way
  done
  specialize constrain --sigma app.sigma --schedule 0 --when true
  specialize record --sigma again.sigma -- ./app 2>&1 | grep -c "added to again.sigma"; rm -f again.sigma
  specialize doctor ./spec | sed '/^  link /,/crtn.o$/d; /linked in/d'
  specialize race ./app app.sigma --format json | python3 -c '
import json, sys
for race in json.load(sys.stdin)["races"]:
    print([[lock["name"] for lock in race[side]["locks"]] for side in "ab"])'
  specialize race ./app app.sigma --format html | grep -o '"locks":\[{"name":"[ab]"' | sort | uniq -c
done
echo "excluded, and as documented"
specialize record -o less.sigma --exclude auto:4 -- ./app > /dev/null 2>&1
specialize build ./app less.sigma -o spec --races 2>&1 | grep "runs\|race"
specialize race --all ./app --sigma app.sigma --witness w > /dev/null 2>&1
specialize replay ./app w/0.sched | grep -c "^replayed"
try specialize check ./app
try specialize check ./app app.sigma again
try specialize check ./app app.sigma --sigma app.sigma
try specialize check ./app --sigma
echo "both stages obey the budget"
for n in 20 200000; do try specialize race --all ./app app.sigma --budget $n 2>&1 | grep -v "^ \|^==\|^$\|SUMMARY\|WARNING" ; done
