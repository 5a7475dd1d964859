#include "all.h"
#include <sys/select.h>
sigset_t ss; struct timespec ts;
void *t(void*a){ pselect(0,0,0,0,&ts,&ss); // R
 return 0;}
int main(void){ GO(t,0); sigaddset(&ss,SIGUSR1); // R
 J; return 0;}
