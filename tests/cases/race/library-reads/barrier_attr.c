#include "all.h"
pthread_barrierattr_t at; pthread_barrier_t b;
void *t(void*a){ pthread_barrierattr_setpshared(&at,0); // R
 return 0;}
int main(void){ pthread_barrierattr_init(&at); GO(t,0); pthread_barrier_init(&b,&at,1); // R
 J; return 0;}
