#include "all.h"
#include <search.h>
char key[8]="b"; char tab[3][8]={"a","b","c"}; size_t n=3;
void *t(void*a){ return lfind(key,tab,&n,8,(int(*)(const void*,const void*))strcmp); } // R
int main(void){ GO(t,0); key[0]='c'; // R
 J; return 0;}
