#include "all.h"
char *q; int o;
void *t(void*a){ char*m=mmap(0,4096,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); char*n=mremap(m,4096,4096,MREMAP_MAYMOVE|MREMAP_FIXED,q); // R
 n[8]=1; // R
 return 0;}
int main(void){ q=mmap(0,4096,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); GO(t,0); o=q[8]; // R
 J; return 0;}
