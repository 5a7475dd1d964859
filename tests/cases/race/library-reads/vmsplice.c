#include "all.h"
int o; char q[4096]; int fd[2];
void *t(void*a){ struct iovec v={q,100}; vmsplice(fd[1],&v,1,0); // R
 return 0;}
int main(void){ pipe(fd); GO(t,0); q[8]=1; // R
 J; return 0;}
