#include <pthread.h>
#include <stdlib.h>
static int first, second, third;
struct cell {
  int *value;
};
__attribute__((noinline)) static int *same(int *p) {
  return p;
}
__attribute__((noinline)) static void set(struct cell *c, int *p) {
  c->value = p;
}
__attribute__((noinline)) static int *deeper(int *p, int n) {
  return n ? deeper(p, n - 1) : same(p);
}
__attribute__((noinline)) static int *by_pointer(int *(*f)(int *), int *p) {
  return f(p);
}
__attribute__((noinline)) static void make(struct cell **out, int *p) {
  *out = malloc(sizeof **out);
  (*out)->value = p;
}
static void *run(void *arg) {
  *same(arg) = 1;
  return NULL;
}
int main(int argc, char **argv) {
  (void)argv;
  pthread_t t;
  struct cell c, d;
  pthread_create(&t, NULL, run, &third);
  int *a = same(&first);
  *a = 1;
  int *b = deeper(&second, argc);
  *b = 2;
  int *e = by_pointer(same, &second);
  *e = 3;
  set(&c, &first);
  set(&d, &second);
  *c.value = 4;
  struct cell *g, *h;
  make(&g, &first);
  make(&h, &second);
  *g->value = 5;
  *h->value = 6;
  pthread_join(t, NULL);
  return *d.value;
}
