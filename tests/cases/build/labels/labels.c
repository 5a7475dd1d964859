#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long n;
/* its address is taken, it synchronizes and jumps by labels, one of them twice in the table */
static void later(int x) {
  static const void *const to[] = {&&a, &&b, &&c, &&a};
  goto *to[x & 3];
a: n += 1; goto done;
b: n += 2; goto done;
c: n += 3;
done:
  pthread_mutex_lock(&m); n += x; pthread_mutex_unlock(&m);
}
/* the same, with a label that assembler code sees */
static void seen(int x) {
  void *p = &&out;
  __asm__ volatile("" : "+r"(p) : "i"(&&out));
  pthread_mutex_lock(&m); n += x; pthread_mutex_unlock(&m);
  if (x) goto *p;
out:
  n += 5;
}
static void (*volatile table[2])(int) = {seen, later};
static void *w(void *p) { pthread_mutex_lock(&m); ++n; pthread_mutex_unlock(&m); return p; }
int main(int argc, char **argv) {
  pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0);
  for (int i = 1; i < argc; ++i) table[i & 1](atoi(argv[i]));
  printf("%ld\n", n);
}
