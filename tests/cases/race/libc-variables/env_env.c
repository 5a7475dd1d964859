#include "all.h"
extern char**environ,**__environ; char**o; char*e2[]={0};
void *t(void*a){ environ=e2; // R
 return 0; }
int main(void){ GO(t,0); o=__environ; // R
 J; return 0;}
