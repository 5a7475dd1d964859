#include "adv.h"
uintptr_t word;
int *target;
static void *f(void *x) { *(int *)(word ^ 1) = 1; return NULL; } // R
int main(void) { pthread_t t; target = malloc(4); word = (uintptr_t)target ^ 1; pthread_create(&t, 0, f, 0); *target = 5; pthread_join(t, 0); return *target == 9; } // R
