# A thread that was created, but had not begun when the process ended: it must not begin in a held run either.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_barrier_t never;
static void *leave(void *a) { puts("left"); fflush(stdout); _Exit(5); return a; }
static void *run(void *a) { pthread_barrier_wait(&never); return a; }
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&never, 0, 2);
  pthread_create(&t[0], 0, run, 0);
  pthread_create(&t[1], 0, leave, 0);
  pthread_join(t[1], 0);
  return 0;
}
X
specialize-cc -O1 -g -pthread -w app.c -o app
specialize record -o app.sigma -- ./app 2> /dev/null
sed -i '/^t1 /d; s/^end .*/end/' app.sigma
specialize constrain app.sigma --schedule 0 --when true 2> /dev/null
specialize check ./app app.sigma
specialize build ./app --sigma app.sigma -o app.spec 2> /dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do SPECIALIZE_VERBOSE=1 try ./app.spec 2>&1; done | sort | uniq -c
