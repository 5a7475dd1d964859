#include "all.h"
struct S{int*a,*b,*c;}; int g; NI void f(int n,...){ va_list v; va_start(v,n); struct S s=va_arg(v,struct S); *s.c=1; va_end(v); } // R
void *t(void*a){ struct S s={0,0,&g}; f(8,s); return 0; }
int main(void){ GO(t,0); g=2; // R
 J; return 0;}
