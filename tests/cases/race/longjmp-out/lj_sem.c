#include "all.h"
int g; jmp_buf jb; sem_t s; 
NI void f(void){ sem_post(&s); longjmp(jb,1); }
void *u(void*a){ if(!setjmp(jb)) f(); g=1; // R
 return 0; }
int main(void){ sem_init(&s,0,0); GO(u,0); sem_wait(&s); g=2; // R
 J; return 0;}
