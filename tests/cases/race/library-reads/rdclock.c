#include "all.h"
struct timespec ts={4000000000}; pthread_rwlock_t l=PTHREAD_RWLOCK_INITIALIZER;
void *t(void*a){ ts.tv_nsec=3; // R
 return 0;}
int main(void){ GO(t,0); pthread_rwlock_clockrdlock(&l,CLOCK_REALTIME,&ts); // R
 pthread_rwlock_unlock(&l); J; return 0;}
