#include "all.h"
#include <poll.h>
struct timespec ts; 
void *t(void*a){ ppoll(0,0,&ts,0); // R
 return 0;}
int main(void){ GO(t,0); ts.tv_nsec=3; // R
 J; return 0;}
