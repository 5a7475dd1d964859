#include "all.h"
long o; time_t z;
void *t(void*a){ struct tm tm; localtime_r(&z,&tm); // R
 return 0;}
int main(void){ GO(t,0); o=timezone; // R
 J; return 0;}
