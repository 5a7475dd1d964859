#include "all.h"
extern char**environ; char o;
void *t(void*a){ environ[0][0]='x'; // R
 return 0; }
int main(int c,char**v,char**e){ GO(t,0); o=e[0][0]; // R
 J; return 0;}
