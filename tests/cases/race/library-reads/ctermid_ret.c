#include "all.h"
char b[64]; int o;
void *t(void*a){ char *p=ctermid(b); // R
 p[3]='x'; // R
 return 0;}
int main(void){ GO(t,0); o=b[3]; // R
 J; return 0;}
