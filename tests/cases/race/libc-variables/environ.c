#include "all.h"
extern char**environ; char *o;
void *t(void*a){ unsetenv("PATH"); // R
 return 0;}
int main(void){ GO(t,0); o=environ[0]; // R
 J; return 0;}
