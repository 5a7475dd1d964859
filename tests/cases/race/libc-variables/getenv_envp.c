#include "all.h"
char o;
void *t(void*a){ char*p=getenv("PATH"); p[0]='x'; // R
 return 0; }
int main(int c,char**v,char**e){ GO(t,0); for(;*e;e++) if(!strncmp(*e,"PATH=",5)) o=(*e)[5]; // R
 J; return 0;}
