#include "adv.h"
static void *f(void *x) { return getenv("HOME"); } // R
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); setenv("OWN", "1", 1); pthread_join(t, 0); return 0; } // R
