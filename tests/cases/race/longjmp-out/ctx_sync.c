#include "all.h"
#include <ucontext.h>
ucontext_t c; int g; pthread_t th; volatile int n; 
void *t(void*a){ g=1; return 0; } // R
NI void f(void){ pthread_create(&th,0,t,0); setcontext(&c); }
int main(void){ getcontext(&c); if(!n++) f(); g=2; // R
 J; return 0;}

