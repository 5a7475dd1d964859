#include "all.h"
int x,o; FILE*f;
void *t(void*a){ fprintf(f,"ab%n\n",&x); // R
 return 0;}
int main(void){ f=fopen("/dev/null","w"); GO(t,0); o=x; // R
 J; return 0;}
