#include "all.h"
#include <pwd.h>
volatile char o; char*p;
void *t(void*a){ o=p[0]; return 0; } // R
int main(void){ p=getpwnam("root")->pw_dir; GO(t,0); getpwnam("daemon"); // R
 J; return 0;}
