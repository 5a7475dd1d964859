#include "all.h"
jmp_buf jb; int g; pthread_t th; void *t(void*a){ g=1; return 0; } // R
NI void f(int n){ pthread_create(&th,0,t,0); if(n) longjmp(jb,1); }
int main(void){ if(!setjmp(jb)) { f(getpid()); } g=2; // R
 J; return 0;}
