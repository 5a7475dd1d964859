#include "adv.h"
static jmp_buf b; int g; static int tries;
static void fails(void) { if (tries++ == 0) longjmp(b, 1); }
static void *f(void *x) { if (setjmp(b)) g = 3; fails(); return NULL; } // R
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); g = 5; pthread_join(t, 0); return g == 9; } // R
