# A program may call its own things what the runtime calls its: nothing that goes into programs has common names.
export XDG_CACHE_HOME=$PWD/cache
libraries=$(dirname "$(command -v specialize)")/../lib/specialize
for a in rt enforce enforce-chaos replay watch; do
  nm -g --defined-only -P "$libraries/libspecialize-$a.a" > names || echo "no libspecialize-$a.a"
  grep -c ' [TDBR] ' names > /dev/null || echo "$a: nothing in it"
  # What is weak gives way to the program's own.
  sed -n "s/^\([^ ]*\) [^ W] .*/$a: \1/p" names | grep -v ': rt_\|: DW\.ref\.'
done
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
int rec, enf, rep, joining, woken = 3, rep_table;
int enf_wait(void) { return 1; }
int thread_new(void) { return 2; }
int log_append(void) { return 4; }
int rep_wait(void) { return 5; }
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
  pthread_mutex_lock(&m);
  rec++;
  pthread_mutex_unlock(&m);
  rep = 7;
  return a;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  int sum = enf_wait() + thread_new() + log_append() + rep_wait() + woken + enf + rep + joining + rep_table;
  printf("%d %d\n", rec, sum);
  return 0;
}
X
specialize-cc -g -pthread app.c -o app
try specialize record --constraint exact -o app.sigma -- ./app
try specialize build ./app --sigma app.sigma -o app.spec 2>&1 | sed "s/, [0-9.]* s$//"
try env SPECIALIZE_VERBOSE=1 ./app.spec
try specialize race ./app --sigma app.sigma --replay | grep 'race\|Status\|exit'
