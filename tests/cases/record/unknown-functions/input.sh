# Code without bitcode might call back: the first such function is named, the others counted, unless asked.
export XDG_CACHE_HOME=$PWD/cache
printf '%s\n' 'int one(int x) { return x; }' 'int two(int x) { return x; }' 'int three(int x) { return x; }' > lib.c
clang-19 -c lib.c -o lib.o
cat > app.c <<X
#include <pthread.h>
int one(int), two(int), three(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void locks(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
void (*volatile pointer)(void) = locks;
int main(void) {
  pointer();
  return one(0) + two(0) + three(0) - two(0);
}
X
specialize-cc -g -pthread app.c lib.o -o app 2> /dev/null
try specialize record -o app.sigma -- ./app
try specialize record -o app.sigma -- ./app
try specialize record -o app.sigma --verbose -- ./app
try specialize build --record ./app -o app.rec
