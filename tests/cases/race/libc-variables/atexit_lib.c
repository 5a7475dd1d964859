#include "all.h"
FILE*f; long o;
void *t(void*a){ usleep(100000); o=timezone; // R
 return 0; }
int main(void){ atexit(tzset); // R
 GO(t,0); return 0;}
