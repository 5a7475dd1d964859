#include "all.h"
#include <search.h>
int tab[4]; size_t n=3; int cmp(const void*a,const void*b){ return 1; }
void *t(void*a){ int k=3; return lfind(&k,tab,&n,4,cmp); } // R
int main(void){ GO(t,0); n=2; // R
 J; return 0;}
