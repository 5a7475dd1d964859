#include "all.h"
jmp_buf jb; int g; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
NI void f(int n){ if(n) longjmp(jb,1); }
void *t(void*a){ g=1; return 0; } // R
int main(void){ GO(t,0); if(!setjmp(jb)) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); f(getpid()); } else g=2; // R
 J; return 0;}
