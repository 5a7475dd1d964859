#include "all.h"
__asm__(".globl gal\n.set gal,g+4\n");
int g[4]; extern int gal;
void *t(void*a){ gal=1; // R
 return 0; }
int main(void){ GO(t,0); g[1]=3; // R
 J; return 0;}
