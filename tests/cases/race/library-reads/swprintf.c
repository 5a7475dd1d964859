#include "all.h"
#include <wchar.h>
wchar_t w[16]; int o;
void *t(void*a){ swprintf(w,10,L"%d",123456789); // R
 return 0;}
int main(void){ GO(t,0); o=w[6]; // R
 J; return 0;}
