#include "all.h"
struct S{long x; int*c; long y;}; int g; NI void f(int n,...){ va_list v; va_start(v,n); struct S s=va_arg(v,struct S); *s.c=1; va_end(v); } // R
void *t(void*a){ struct S s={1,&g,4}; f(8,s); return 0; }
int main(void){ GO(t,0); g=2; // R
 J; return 0;}
