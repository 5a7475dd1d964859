#include "all.h"
char*p; volatile char o;
void *t(void*a){ o=p[1]; return 0; } // R
int main(void){ p=strerror(9999); GO(t,0); strerror(8888); // R
 J; return 0;}
