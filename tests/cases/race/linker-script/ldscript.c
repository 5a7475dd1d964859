#include "all.h"
int g[4]; extern int alia;
void *t(void*a){ alia=1; // R
 return 0; }
int main(void){ GO(t,0); g[1]=2; // R
 J; return 0;}
