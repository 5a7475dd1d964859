#include "adv.h"
char *a, *b;
static void *f(void *x) { a[5] = 1; return NULL; } // R
int main(void) { pthread_t t; FILE *file = tmpfile(); ftruncate(fileno(file), 4096); a = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0); b = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0); pthread_create(&t, 0, f, 0); b[5] = 5; pthread_join(t, 0); return 0; } // R
