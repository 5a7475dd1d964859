#include "all.h"
#include <sys/msg.h>
struct { long ty; char tx[8]; } m,k; int id,o;
void *t(void*a){ msgrcv(id,&m,8,0,IPC_NOWAIT); // R
 return 0;}
int main(void){ id=msgget(0x16a7c,0600|IPC_CREAT); k.ty=1; msgsnd(id,&k,8,0); GO(t,0); o=m.tx[3]; // R
 J; return 0;}
