#include "all.h"
int __cxa_atexit(void(*)(void*),void*,void*); char*p; char o;
void *t(void*a){ usleep(100000); o=p[1]; // R
 return 0; }
int main(void){ p=malloc(8); __cxa_atexit(free,p,0); // R
 GO(t,0); return 0;} // R
