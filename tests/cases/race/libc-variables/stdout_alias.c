#include "all.h"
extern FILE _IO_2_1_stdout_; 
FILE*f; char o;
void *t(void*a){ stdout->_fileno=2; // R
 return 0;}
int main(int ac,char**v){ GO(t,0); o=((FILE*)&_IO_2_1_stdout_)->_fileno; // R
 J; return 0;}
