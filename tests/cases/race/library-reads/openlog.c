#include "all.h"
#include <syslog.h>
char b[16]="ident";
void *t(void*a){ syslog(LOG_DEBUG,"x"); // R
 return 0;}
int main(void){ openlog(b,0,LOG_USER); GO(t,0); b[2]='c'; // R
 J; return 0;}
