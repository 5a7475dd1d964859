# A program that root starts and that goes on as another user is recorded to its end; where nothing can be written, it says so.
[ "$(id -u)" = 0 ] || skip 'only root can become another user'
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
int main(void) {
  pthread_t t;
  if (setgid(65534) || setuid(65534)) return 1;
  for (int i = 0; i < 3; ++i) { pthread_create(&t, 0, run, 0); pthread_join(t, 0); }
  return 0;
}
X
specialize-cc -g -pthread app.c -o app
chmod 755 .. . cache 2> /dev/null; chmod 1777 ../tmp
try specialize record -o app.sigma -- ./app
specialize check ./app app.sigma
specialize build --record ./app -o app.rec
mkdir runs; SPECIALIZE_DIR=runs/of-all ./app.rec
try specialize record -o again.sigma --from runs/of-all ./app
# A directory that is there already and that only root may write to.
mkdir -m 755 closed; chmod 700 closed; SPECIALIZE_DIR=closed ./app.rec
try specialize record -o cut.sigma --from closed ./app
