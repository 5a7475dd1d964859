# A call through a pointer of which nothing is known may enter functions whose address has escaped, and no others: it is in
# the schedule only if one of those synchronizes.
export XDG_CACHE_HOME=$PWD/cache
printf '%s\n' 'typedef int (*F)(int); static int two(int x) { return x + 1; } F some(void) { return two; }' \
  'int hand(F f) { return f(1); }' > lib.c
gcc -c lib.c -o lib.o
cat > app.c <<X
#include <pthread.h>
typedef int (*F)(int);
F some(void);
int hand(F);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locks(int x) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return x;
}
static int plain(int x) { return x; }
int main(int argc, char **argv) {
  hand(plain);
  F own = argc > 2 ? locks : 0;
  if (argc > 1) hand(own ? own : some());
  if (own) own(1);
  return some()(2) == 3 && argv ? 0 : 1;
}
X
specialize-cc -g -pthread app.c lib.o -o app 2> /dev/null
sed '/argc > 1/d' app.c > kept.c
specialize-cc -g -pthread kept.c lib.o -o kept 2> /dev/null
for app in app kept; do
  echo "$app:"
  specialize record -o $app.sigma -- ./$app 2> /dev/null
  grep '^site' $app.sigma || echo none
done
