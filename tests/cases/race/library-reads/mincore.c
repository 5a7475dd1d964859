#include "all.h"
unsigned char v[4]; int o; char *q;
void *t(void*a){ mincore(q,4096,v); // R
 return 0;}
int main(void){ q=mmap(0,4096,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);GO(t,0); o=v[0]; // R
 J; return 0;}
