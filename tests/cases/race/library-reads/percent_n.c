#include "all.h"
int x,o;
void *t(void*a){ printf("ab%n\n",&x); // R
 return 0;}
int main(void){ GO(t,0); o=x; // R
 J; return 0;}
