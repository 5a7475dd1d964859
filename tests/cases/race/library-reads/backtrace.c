#include "all.h"
#include <execinfo.h>
void *st[8]; void* o;
void *t(void*a){ backtrace(st,8); // R
 return 0;}
int main(void){ GO(t,0); o=st[1]; // R
 J; return 0;}
