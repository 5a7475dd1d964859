#include "all.h"
char o;
void *t(void*a){ program_invocation_name[0]='x'; // R
 return 0; }
int main(int c,char**v){ GO(t,0); o=v[0][0]; // R
 J; return 0;}
