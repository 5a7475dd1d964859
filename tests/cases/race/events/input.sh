# What libevent is given runs where the program loops over events, and in no other thread; where in the schedule, its own
# operations say. The library here is a small one of the same names.
. "$TOP/tests/races.sh"
cat > native.c <<X
struct event { void (*call)(int, short, void *); void *arg; };
void event_set(struct event *e, int fd, short what, void (*call)(int, short, void *), void *arg) {
  e->call = call;
  e->arg = arg;
}
static struct event *added;
int event_add(struct event *e, void *wait) { return added = e, wait != 0; }
int event_base_loop(void *base, int flags) { return added->call(flags, 0, added->arg), base != 0; }
void serve(void) { event_base_loop(0, 0); }
X
cat > head.h <<X
#include <pthread.h>
struct event { char room[128]; };
void event_set(struct event *e, int fd, short what, void (*call)(int, short, void *), void *arg);
int event_add(struct event *e, void *wait);
int event_base_loop(void *base, int flags);
static struct event e;
static int counter, guarded, behind;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void tick(int fd, short what, void *arg) {
  *(int *)arg += fd + what;
  counter++;
  pthread_mutex_lock(&m);
  guarded++;
  pthread_mutex_unlock(&m);
  behind++;
}
static void prepare(void) {
  static int given;
  event_set(&e, 1, 2, tick, &given);
  event_add(&e, 0);
}
X
cat > apart.c <<X
#include "head.h"
static void *other(void *arg) { return arg; }
int main(void) {
  pthread_t a;
  prepare();
  pthread_create(&a, 0, other, 0);
  event_base_loop(0, 0);
  pthread_join(a, 0);
  counter = 0;
  return 0;
}
X
cat > both.c <<X
#include "head.h"
static void *loops(void *arg) {
  event_base_loop(0, 0);
  return arg;
}
int main(void) {
  pthread_t a;
  prepare();
  pthread_create(&a, 0, loops, 0);
  counter = 7;
  pthread_mutex_lock(&m);
  guarded--;
  behind--;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
X
# A function that nobody knows may run a loop of its own.
sed 's/event_base_loop(0, 0);/serve();/; 1a void serve(void);' both.c > elsewhere.c
gcc -shared -fPIC native.c -o libevents.so
for app in apart both elsewhere; do
  echo "$app:"
  specialize-cc -O1 -g -pthread $app.c -L. -levents -Wl,-rpath,$PWD -o $app 2> cc.err && specialize record -o $app.sigma -- ./$app 2> run.err || cat run.err
  races $app
done
