#include "adv.h"
struct o { int v; sem_t s; } o;
static void *f(void *x) { sem_post(&o.s); return NULL; } // R
int main(void) { pthread_t t; sem_init(&o.s, 0, 0); pthread_create(&t, 0, f, 0); usleep(20000); memset(&o, 0, sizeof o); pthread_join(t, 0); return 0; } // R
