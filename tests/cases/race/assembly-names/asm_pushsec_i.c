#include "all.h"
int g; extern int*__start_mytab[],*__stop_mytab[];
void reg(void){ __asm__ volatile(".pushsection mytab,\"aw\"\n.quad %c0\n.popsection\n"::"i"(&g)); }
void *t(void*a){ for(int**p=__start_mytab;p<__stop_mytab;p++) **p=1; // R
 return 0; }
int main(void){ reg(); GO(t,0); g=2; // R
 J; return 0;}
