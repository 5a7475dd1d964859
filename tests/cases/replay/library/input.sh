# Accesses of library functions and of other kinds: memory that is freed, copied, written by a call, changed atomically.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct big { char text[300]; };
static struct big a, b;
static char *block;
static atomic_int n;
static int plain;
static size_t size = 100;
static void *first(void *unused) {
  memcpy(a.text, b.text, size);
  block[30] = 1;
  if (pread(STDIN_FILENO, a.text + 200, size, 0) > 0) return 0;
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
  plain = (int)strlen(a.text + 250);
  return unused;
}
static void *second(void *unused) {
  a = b;
  plain = *(int *)&n;
  a.text[250] = 0;
  free(block);
  return unused;
}
int main(void) {
  pthread_t t[2];
  block = malloc(40);
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
X
specialize-cc -g -O0 -pthread app.c -o app
specialize record --constraint exact -o app.sigma -- ./app < /dev/null
one() {
  test_witness ./app app.sigma 0 "1.1:app.c:$1" "2.1:app.c:$2" > w.sched || return
  grep '^access' w.sched | sed 's/%[0-9]*/%N/; s/app.c:/line /'
  specialize replay ./app w.sched | grep -v '^  memory' | sed 's/0x[0-9a-f]*/0xN/; s/%[0-9]*/%N/; s/, went first//; s/line.*//'
}
one 14:w 22:w
one 15:w:0 25:w
one 16:w 24:w
one 17:w 23:r
one 18:r:0 24:w
