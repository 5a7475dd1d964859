#include "all.h"
extern char**environ; char s[8]="A=b"; char*e2[2]={s,0}; char*o; char c;
void *t(void*a){ char*q=getenv("A"); q[0]='z'; // R
 return 0;}
int main(int ac,char**v){ environ=e2; GO(t,0); c=s[2]; // R
 J; return 0;}
