#include "all.h"
__asm__(".data\n.globl gA\n.globl gB\n.balign 4\ngA: .long 0\ngB: .long 0\n.size gA,8\n.text\n"); extern int gA[2],gB;
void *t(void*a){ gA[1]=1; // R
 return 0; }
int main(void){ GO(t,0); gB=2; // R
 J; return 0;}
