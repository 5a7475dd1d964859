#include "adv.h"
struct o { int v; pthread_rwlock_t l; } *o;
static void *f(void *x) { pthread_rwlock_rdlock(&o->l); pthread_rwlock_unlock(&o->l); return NULL; } // R
int main(void) { pthread_t t; o = malloc(sizeof *o); pthread_rwlock_init(&o->l, 0); pthread_create(&t, 0, f, 0); usleep(20000); free(o); pthread_join(t, 0); return 0; } // R
