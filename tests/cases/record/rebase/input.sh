# After an edit: what the new code still allows is taken over.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *a) { pthread_mutex_lock(&m); ++n; pthread_mutex_unlock(&m); return a; }
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (argc > 1) { pthread_mutex_lock(&m); n += VALUE; EXTRA pthread_mutex_unlock(&m); }
  pthread_join(t, 0);
  return printf("%d\n", n) < 0;
}
X
specialize-cc -DVALUE=5 -DEXTRA= -g -pthread app.c -o app
specialize record --constraint exact -o app.sigma -- ./app 2> /dev/null
specialize record --constraint exact -o app.sigma -- ./app 1 2> /dev/null
specialize rebase ./app app.sigma
specialize-cc -DVALUE=6 -DEXTRA= -g -pthread app.c -o app
try specialize check ./app app.sigma 2>&1 | sed 's/is [0-9a-f]\{32\}/is HASH/'
try specialize record --constraint exact -o app.sigma -- ./app 2>&1 | sed 's/[0-9a-f]\{32\}/HASH/g'
try specialize rebase ./app app.sigma
specialize check ./app app.sigma
grep ^when app.sigma
specialize-cc -DVALUE=6 "-DEXTRA=pthread_mutex_unlock(&m); pthread_mutex_lock(&m);" -g -pthread app.c -o app
try specialize rebase ./app app.sigma -o new.sigma
specialize check ./app new.sigma
