# Ways to a function of the program that no call shows: code that is found when the program runs, hooks of the C library in
# variables, handlers that a library installs, a function that takes handlers called by a pointer.
. "$TOP/tests/races.sh"
cat > lib.c <<X
#include <signal.h>
struct table { void (*call)(int, int, int); };
void plug(struct table *t) { t->call(1, 2, 3); }
void install(void (*f)(int)) { signal(SIGUSR1, f); }
X
gcc -shared -fPIC lib.c -o libplug.so
cat > found.c <<X
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
static int counter;
static void add(int a, int b, int c) { counter += a + b + c; }
static struct table { void (*call)(int, int, int); } table = {add};
static void *first(void *arg) {
  void (*plug)(struct table *) = dlsym(RTLD_DEFAULT, "plug");
  plug(&table);
  return arg;
}
static void *second(void *arg) { return counter = 7, arg; }
$END_OF_THREADS
X
cat > hook.c <<X
#include <error.h>
#include <pthread.h>
static int counter;
static void name(void) { counter++; }
static void *first(void *arg) {
  error_print_progname = name;
  error(0, 0, "hello");
  return arg;
}
static void *second(void *arg) { return counter = 7, arg; }
$END_OF_THREADS
X
cat > head.h <<X
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
static int counter;
static sem_t s;
static void handler(int n) {
  counter++;
  if (n == 99) sem_post(&s);
}
static void *second(void *arg) { return arg; }
X
cat > installed.c <<X
#include "head.h"
void install(void (*)(int));
static void *first(void *arg) {
  install(handler);
  counter = 7;
  return arg;
}
$END_OF_THREADS
X
cat > pointer.c <<X
#include "head.h"
static void (*(*volatile set)(int, void (*)(int)))(int) = signal;
static void *first(void *arg) {
  set(SIGUSR1, handler);
  counter = 7;
  return arg;
}
$END_OF_THREADS
X
for app in found hook installed pointer; do
  echo "$app:"
  specialize-cc -O1 -g -pthread $app.c -L. -Wl,--no-as-needed -lplug -Wl,-rpath,$PWD -o $app 2> cc.err
  specialize record -o $app.sigma -- ./$app 2> run.err || cat run.err
  races $app 2> /dev/null | grep counter
done
