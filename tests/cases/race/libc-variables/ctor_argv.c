#include "all.h"
char o; char**av;
__attribute__((constructor)) void ct(int c,char**v,char**e){ av=v; }
void *t(void*a){ av[0][0]='x'; // R
 return 0; }
int main(int c,char**v,char**e){ GO(t,0); o=v[0][0]; // R
 J; return 0;}
