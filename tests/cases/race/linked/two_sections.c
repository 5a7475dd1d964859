// No race: the threads go through tables of their own.
struct entry { long n; };
#include <pthread.h>
#define IN(s, x) struct entry x __attribute__((section(s), used))
IN("first", a1); IN("first", a2); IN("second", b1); IN("second", b2);
extern struct entry __start_first[], __stop_first[], __start_second[], __stop_second[];
static void *f(void *x) { for (struct entry *e = __start_first; e < __stop_first; e++) e->n = 1; return x; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (struct entry *e = __start_second; e < __stop_second; e++) e->n = 2; pthread_join(t, 0); return a1.n == b1.n; }
