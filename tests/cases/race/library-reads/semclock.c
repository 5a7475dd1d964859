#include "all.h"
struct timespec ts={4000000000}; sem_t s;
void *t(void*a){ ts.tv_nsec=3; // R
 return 0;}
int main(void){ sem_init(&s,0,1); GO(t,0); sem_clockwait(&s,CLOCK_REALTIME,&ts); // R
 J; return 0;}
