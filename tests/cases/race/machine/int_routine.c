#include <pthread.h>
int g;
static void *f(int id) { if (id == 1) g = id; return 0; } // R
int main(void) { pthread_t t; pthread_create(&t, 0, (void *(*)(void *))f, (void *)(long)1); g = 5; pthread_join(t, 0); return g == 9; } // R
