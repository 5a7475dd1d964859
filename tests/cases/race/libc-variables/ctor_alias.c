#include "all.h"
char**sv; char o;
__attribute__((section(".init_array"),used)) static void (*ip)(int,char**,char**);
static void in(int c,char**v,char**e){ sv=e; }
static void (*ip)(int,char**,char**)=in;
void *t(void*a){ sv[0][0]='x'; // R
 return 0; }
int main(int c,char**v,char**e){ GO(t,0); o=e[0][0]; // R
 J; return 0;}
