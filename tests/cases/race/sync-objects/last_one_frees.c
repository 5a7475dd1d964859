// No race: who takes the last reference, under the lock, frees.
#include "adv.h"
struct o { pthread_mutex_t m; int refs; } *o;
static void drop(struct o *x) { pthread_mutex_lock(&x->m); int left = --x->refs; pthread_mutex_unlock(&x->m); if (!left) free(x); }
static void *f(void *x) { drop(o); return NULL; }
int main(void) { pthread_t t; o = malloc(sizeof *o); o->refs = 2; pthread_mutex_init(&o->m, 0); pthread_create(&t, 0, f, 0); usleep(20000); drop(o); pthread_join(t, 0); return 0; }
