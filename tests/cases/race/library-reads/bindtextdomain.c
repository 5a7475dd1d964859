#include "all.h"
#include <libintl.h>
char b[64]="tcp"; 
void *t(void*a){ bindtextdomain(b,"/tmp"); // R
 return 0;}
int main(void){ GO(t,0); b[1]='d'; // R
 J; return 0;}
