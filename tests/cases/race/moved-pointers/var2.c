#include "all.h"
struct S{int*a,*b,*c;}; int g; NI void h(va_list v){ struct S s=va_arg(v,struct S); *s.c=1; } NI void f(int n,...){ va_list v,w; va_start(v,n); va_copy(w,v); h(w); va_end(v); } // R
void *t(void*a){ int x; struct S s={&x,&x,&g}; f(8,s); return 0; }
int main(void){ GO(t,0); g=2; // R
 J; return 0;}
