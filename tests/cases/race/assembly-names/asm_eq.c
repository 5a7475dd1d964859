#include "all.h"
int g; __asm__(".globl gal\ngal = g\n"); extern int gal;
void *t(void*a){ gal=1; // R
 return 0; }
int main(void){ GO(t,0); g=2; // R
 J; return 0;}
