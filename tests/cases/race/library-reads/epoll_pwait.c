#include "all.h"
#include <sys/epoll.h>
sigset_t ss;
void *t(void*a){ int e=epoll_create1(0); struct epoll_event ev; epoll_pwait(e,&ev,1,0,&ss); // R
 return 0;}
int main(void){ GO(t,0); sigaddset(&ss,SIGUSR1); // R
 J; return 0;}
