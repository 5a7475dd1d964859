#include "all.h"
// PRE: echo 'mutex m' > ex
// RECORD: --exclude ex
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; int g; pthread_once_t oc=PTHREAD_ONCE_INIT;
void cb(void){ pthread_mutex_unlock(&m); }
void *t(void*a){ pthread_mutex_lock(&m); pthread_once(&oc,cb); g=1; // R
 return 0; }
int main(void){ GO(t,0); pthread_mutex_lock(&m); g=2; // R
 pthread_mutex_unlock(&m); J; return 0;}
