#include "all.h"
#include <netdb.h>
char*p; volatile char o;
#define get() (gethostbyname("127.0.0.1")->h_addr_list[0])
void *t(void*a){ if(p) o=p[0]; return 0; } // R
int main(void){ p=get(); GO(t,0); char*z=get(); // R
 J; return 0;}
