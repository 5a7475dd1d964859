#include "all.h"
void *t(void*a){ fwrite_unlocked("abc",1,3,stdout); // R
 return 0; }
int main(int c,char**v){ GO(t,0); fwrite_unlocked("abc",1,3,stdout); // R
 J; return 0;}
