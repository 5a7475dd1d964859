#include "all.h"
FILE*f;
void *t(void*a){ perror("x"); // R
 return 0;}
int main(void){ f=fopen("/dev/null","w"); GO(t,0); stderr=f; // R
 J; return 0;}
