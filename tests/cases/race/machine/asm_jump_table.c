#include "adv.h"
int g;
__attribute__((used, noinline)) static void helper(void) { g = 7; } // R
static void *f(void *x) { void (*p)(void); __asm__ volatile("leaq helper(%%rip), %0" : "=r"(p)); p(); return NULL; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); g = 5; pthread_join(t, 0); return g == 9; } // R
