#include "all.h"
int g; __asm__(".weak gal\n.set gal,g\n"); extern int gal __attribute__((weak));
void *t(void*a){ if(&gal) gal=1; // R
 return 0; }
int main(void){ GO(t,0); g=2; // R
 J; return 0;}
