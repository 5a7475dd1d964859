#include "all.h"
#include <spawn.h>
char en[16]="A=b"; char *envp[]={en,0}; char *av[]={"true",0};
void *t(void*a){ pid_t p; posix_spawn(&p,"/bin/true",0,0,av,envp); // R
 waitpid(p,0,0); return 0;}
int main(void){ GO(t,0); en[2]='c'; // R
 J; return 0;}
