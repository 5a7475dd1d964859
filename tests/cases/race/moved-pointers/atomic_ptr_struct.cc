#include "all.h"
#include <atomic>
struct N{ int a,b,c; } arr[4]; std::atomic<N*> p{arr}; int o;
void *t(void*a){ p++; p.load()->b=1; // R
 return 0; }
int main(void){ GO(t,0); o=arr[1].b; // R
 J; return 0;}

