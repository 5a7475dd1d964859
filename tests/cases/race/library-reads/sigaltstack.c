#include "all.h"
stack_t ss; char st[65536];
void *t(void*a){ sigaltstack(&ss,0); // R
 return 0;}
int main(void){ ss.ss_sp=st; ss.ss_size=sizeof st; GO(t,0); ss.ss_flags=4; // R
 J; return 0;}
