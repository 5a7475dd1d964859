#include "all.h"
char b[16]="a b c d", c[8]="x y";
void *t(void*a){ strtok(0," "); return 0; } // R
int main(void){ strtok(b," "); GO(t,0); b[2]='q'; // R
 J; return 0;}
