#include "all.h"
FILE*f;
void *t(void*a){ printf("hi %d\n",3); // R
 return 0;}
int main(void){ f=fopen("/dev/null","w"); GO(t,0); stdout=f; // R
 J; return 0;}
