#include "all.h"
void*jb[5]; int g; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
NI void f(int n){ if(n) __builtin_longjmp(jb,1); }
void *t(void*a){ g=1; return 0; } // R
int main(void){ GO(t,0); if(!__builtin_setjmp(jb)) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); f(getpid()); } else g=2; // R
 J; return 0;}
