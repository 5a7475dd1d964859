#include "all.h"
struct S{long a,b; void(*c)(void);}; int g; void w(void){ g=1; } NI void f(int n,...){ va_list v; va_start(v,n); va_arg(v,struct S).c(); } // R
void *t(void*a){ struct S s={0,0,w}; f(1,s); return 0; } 
int main(void){ GO(t,0); g=2; // R
 J; return 0;}
