// No race: setjmp and longjmp in one thread, on memory of its own.
#include "adv.h"
static void *f(void *x) { jmp_buf b; volatile int n = 0; if (setjmp(b) < 3) { n++; longjmp(b, n); } return NULL; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int g = 5; pthread_join(t, 0); return g == 9; }
