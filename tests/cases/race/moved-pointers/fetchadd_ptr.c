#include "all.h"
int A[4]; uintptr_t p; int o;
void *t(void*a){ __atomic_fetch_add(&p,8,5); *(int*)__atomic_load_n(&p,5)=1; // R
 return 0; }
int main(void){ p=(uintptr_t)A; GO(t,0); o=A[2]; // R
 J; return 0;}
