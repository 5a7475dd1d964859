#include "all.h"
int g; jmp_buf jb; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; 
NI void f(void){ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); longjmp(jb,1); }
NI void w(void){ if(!setjmp(jb)) f(); g=1; } // R
void *u(void*a){ w(); return 0; }
int main(void){ GO(u,0); g=2; // R
 J; return 0;}

