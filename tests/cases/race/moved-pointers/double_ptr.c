#include "all.h"
int g,o; double d;
void *t(void*a){ *(int*)(uintptr_t)d=1; // R
 return 0; }
int main(void){ d=(double)(uintptr_t)&g; GO(t,0); o=g; // R
 J; return 0;}
