#include "all.h"
sem_t s;
void *t(void*a){ int v; sem_getvalue(&s,&v); // R
 return 0; }
int main(void){ sem_init(&s,0,1); GO(t,0); sem_destroy(&s); // R
 J; return 0;}
