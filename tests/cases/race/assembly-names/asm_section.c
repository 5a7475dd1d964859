#include "all.h"
int g; extern int*__start_ptrs[];
__attribute__((used)) void dummy(void){ __asm__(".pushsection ptrs,\"aw\"\n.quad g\n.popsection"); }
void *t(void*a){ *__start_ptrs[0]=1; // R
 return 0; }
int main(void){ GO(t,0); g=3; // R
 J; return 0;}
