#include "all.h"
struct timespec ts; pthread_t x1;
void *n(void*a){ return 0;}
void *t(void*a){ ts.tv_nsec=5; // R
 return 0;}
int main(void){ ts.tv_sec=4000000000; pthread_create(&x1,0,n,0); GO(t,0); pthread_timedjoin_np(x1,0,&ts); // R
 J; return 0;}
