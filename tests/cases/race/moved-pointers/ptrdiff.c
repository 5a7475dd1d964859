#include "all.h"
int A[4],B[4]; ptrdiff_t d; int o;
void *t(void*a){ *(int*)((char*)A+d)=1; // R
 return 0; }
int main(void){ d=(char*)B-(char*)A; GO(t,0); o=B[0]; // R
 J; return 0;}
