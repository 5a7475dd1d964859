#include "all.h"
#include <threads.h>
tss_t k; char*p; char o;
int t(void*a){ tss_set(k,p); return 0; } // R
int main(void){ thrd_t x; p=malloc(8); tss_create(&k,free); thrd_create(&x,t,0); o=p[1]; // R
 thrd_join(x,0); return 0;}
