#include "all.h"
void *t(void*a){ char*v[]={"p","-b",0}; getopt(2,v,"a:"); // R
 return 0;}
int main(void){ GO(t,0); opterr=0; // R
 J; return 0;}
