#include "all.h"
char pool[64]; char*nx=pool; 
NI char*al(void){ return (char*)__atomic_fetch_add(&nx,8,5); }
void *t(void*a){ char*q=al(); q[0]=1; return q; } // R
int main(void){ al(); GO(t,0); pool[8]=3; // R
 J; return 0;}
