#include "all.h"
#include <err.h>
void *t(void*a){ warnx("hi"); // R
 return 0;}
int main(void){ GO(t,0); program_invocation_short_name="xx"; // R
 J; return 0;}
