#include "all.h"
#include <atomic>
int A[8]; std::atomic<int*> p{A+4}; int o;
void *t(void*a){ p.fetch_sub(2); *p.load()=1; // R
 return 0;}
int main(void){ GO(t,0); o=A[2]; // R
 J; return 0;}
