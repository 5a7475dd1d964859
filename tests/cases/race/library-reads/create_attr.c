#include "all.h"
pthread_attr_t at;
void *n(void*a){ return 0;}
void *t(void*a){ pthread_attr_setstacksize(&at,1<<20); // R
 return 0;}
int main(void){ pthread_attr_init(&at); GO(t,0); pthread_t x; pthread_create(&x,&at,n,0); // R
 pthread_join(x,0); J; return 0;}
