#include "all.h"
void *t(void*a){ for(int i=0;i<100;i++) putchar_unlocked('x'); // R
 return 0; }
int main(int c,char**v){ GO(t,0); for(int i=0;i<100;i++) putchar_unlocked('y'); // R
 J; return 0;}
