#include "all.h"
int A[4],B[4] __attribute__((aligned(16))); uintptr_t p; int o;
void *t(void*a){ __atomic_fetch_or(&p,4,5); *(int*)__atomic_load_n(&p,5)=1; // R
 return 0; }
int main(void){ p=(uintptr_t)B; GO(t,0); o=B[1]; // R
 J; return 0;}
