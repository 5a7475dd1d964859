# A witness or a file of schedules that somebody else made must not have anything loaded or run; nor a cache that
# somebody else filled.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int count;
static void *worker(void *a) {
  count += 1;
  return a;
}
int main(void) {
  pthread_t t[2];
  if (getenv("LEVEL")) puts(getenv("LEVEL"));
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
X
echo 'int system(const char *); __attribute__((constructor)) static void run(void) { system("echo planted >> ../planted"); }' > planted.c
cc -shared -fPIC planted.c -o planted.so
specialize-cc -g -pthread app.c -o app
LEVEL=3 specialize record -o app.sigma -- ./app 2> /dev/null
for variable in LD_PRELOAD LD_AUDIT GCONV_PATH GLIBC_TUNABLES PATH SPECIALIZE_DIR ASAN_OPTIONS PYTHONPATH OMP_TOOL_LIBRARIES GIO_MODULE_DIR OPENSSL_CONF HOME; do
  sed "s|^env \"LEVEL\".*|&\nenv \"$variable\" \"$PWD/planted.so\"|" app.sigma > evil.sigma
  specialize race ./app --sigma evil.sigma --witness evil > /dev/null 2>&1
  specialize replay ./app evil/0.sched 2>&1 | grep "trust-environment" | sed 's/.*sets/sets/'
  specialize race ./app --sigma evil.sigma --replay 2>&1 | grep -c "replayed (seen)"
  rm -r evil
done
[ ! -e ../planted ] || cat ../planted
echo "a variable of the program's own"
specialize race ./app --sigma app.sigma --witness good > /dev/null 2>&1
specialize replay ./app good/0.sched > out
echo "exit $?"
echo "the cache"
[ "$(id -u)" = 0 ] || exit 0
mkdir -p other/specialize && chown -R 65534 other && chmod 755 other other/specialize
XDG_CACHE_HOME=$PWD/other try specialize record -o other.sigma -- ./app
mkdir -p open/specialize && chmod 777 open/specialize
XDG_CACHE_HOME=$PWD/open specialize record -o open.sigma -- ./app 2> /dev/null
stat -c %a open/specialize
