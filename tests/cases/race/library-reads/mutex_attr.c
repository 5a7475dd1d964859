#include "all.h"
pthread_mutexattr_t at; pthread_mutex_t m;
void *t(void*a){ pthread_mutexattr_settype(&at,PTHREAD_MUTEX_RECURSIVE); // R
 return 0;}
int main(void){ pthread_mutexattr_init(&at); GO(t,0); pthread_mutex_init(&m,&at); // R
 pthread_mutex_lock(&m); pthread_mutex_unlock(&m); J; return 0;}
