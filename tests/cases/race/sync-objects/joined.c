// No race: the thread is over.
#include "adv.h"
struct o { pthread_mutex_t m; int v; } *o;
static void *f(void *x) { pthread_mutex_lock(&o->m); o->v++; pthread_mutex_unlock(&o->m); return NULL; }
int main(void) { pthread_t t; o = malloc(sizeof *o); pthread_mutex_init(&o->m, 0); pthread_create(&t, 0, f, 0); pthread_mutex_lock(&o->m); o->v = 2; pthread_mutex_unlock(&o->m); pthread_join(t, 0); pthread_mutex_destroy(&o->m); free(o); return 0; }
