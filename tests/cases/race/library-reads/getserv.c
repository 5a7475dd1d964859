#include "all.h"
#include <netdb.h>
char b[64]="tcp"; 
void *t(void*a){ getservbyname("http",b); // R
 return 0;}
int main(void){ GO(t,0); b[1]='d'; // R
 J; return 0;}
