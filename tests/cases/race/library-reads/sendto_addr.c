#include "all.h"
#include <sys/un.h>
struct sockaddr_un sa; int fd; 
void *t(void*a){ sendto(fd,"x",1,MSG_DONTWAIT,(struct sockaddr*)&sa,sizeof sa); // R
 return 0;}
int main(void){ fd=socket(AF_UNIX,SOCK_DGRAM,0); sa.sun_family=AF_UNIX; GO(t,0); sa.sun_path[1]='d'; // R
 J; return 0;}
