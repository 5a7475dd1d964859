#include "all.h"
char*o; 
void *t(void*a){ tzset(); // R
 return 0;}
int main(int ac,char**v){ GO(t,0); o=tzname[0]; // R
 J; return 0;}
