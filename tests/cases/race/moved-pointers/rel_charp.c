#include "all.h"
struct rel{ intptr_t off;} *node; int*target; int o;
void *t(void*a){ *(int*)((char*)node+node->off)=1; // R
 return 0; }
int main(void){ node=malloc(8); target=malloc(4); node->off=(intptr_t)((uintptr_t)target-(uintptr_t)node); GO(t,0); o=*target; // R
 J; return 0;}
