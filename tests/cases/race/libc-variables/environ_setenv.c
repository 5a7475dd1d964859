#include "all.h"
extern char **environ; char*o;
void *t(void*a){ setenv("AA","b",1); // R
 return 0;}
int main(void){ GO(t,0); o=(char*)environ; // R
 J; return 0;}
