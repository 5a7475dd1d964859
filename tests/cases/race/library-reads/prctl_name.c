#include "all.h"
#include <sys/prctl.h>
char b[16]; int o;
void *t(void*a){ prctl(PR_GET_NAME,b); // R
 return 0;}
int main(void){ GO(t,0); o=b[2]; // R
 J; return 0;}
