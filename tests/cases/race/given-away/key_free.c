#include "all.h"
pthread_key_t k; char*p; char o;
void *t(void*a){ pthread_setspecific(k,p); return 0; } // R
int main(void){ p=malloc(8); pthread_key_create(&k,free); GO(t,0); o=p[1]; // R
 J; return 0;}
