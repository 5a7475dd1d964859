#include "all.h"
int o;
void *t(void*a){ char*v[]={"p","-a","x",0}; getopt(3,v,"a"); // R
 return 0;}
int main(void){ GO(t,0); o=optind; // R
 J; return 0;}
