#include "all.h"
int o; char *q;
void *t(void*a){ madvise(q,4096,MADV_DONTNEED); // R
 return 0;}
int main(void){ q=mmap(0,4096,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);q[8]=1;GO(t,0); o=q[8]; // R
 J; return 0;}
