#include "all.h"
#include <error.h>
int o;
void *t(void*a){ error(0,0,"x"); // R
 return 0;}
int main(void){ GO(t,0); o=error_message_count; // R
 J; return 0;}
