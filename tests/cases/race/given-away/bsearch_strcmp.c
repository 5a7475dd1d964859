#include "all.h"
char key[8]="b"; char tab[3][8]={"a","b","c"};
void *t(void*a){ return bsearch(key,tab,3,8,(int(*)(const void*,const void*))strcmp); } // R
int main(void){ GO(t,0); key[0]='c'; // R
 J; return 0;}
