#include "all.h"
char b[64]="/tmp"; 
void *t(void*a){ free(tempnam(b,"xx")); // R
 return 0;}
int main(void){ GO(t,0); b[1]='x'; // R
 J; return 0;}
