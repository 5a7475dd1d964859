#include "all.h"
// LDFLAGS: -lrt
#include <mqueue.h>
unsigned pr; char b[64]; int o; mqd_t q;
void *t(void*a){ mq_receive(q,b,64,&pr); // R
 return 0;}
int main(void){ struct mq_attr at={0,4,64}; q=mq_open("/atk16q",O_RDWR|O_CREAT|O_NONBLOCK,0600,&at); mq_unlink("/atk16q"); mq_send(q,"x",1,3); GO(t,0); o=pr; // R
 J; return 0;}
