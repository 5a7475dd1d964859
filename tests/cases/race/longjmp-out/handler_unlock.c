#include "all.h"
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; int g; 
void h(int s){ pthread_mutex_unlock(&m); }
void *t(void*a){ pthread_mutex_lock(&m); raise(SIGUSR1); g=1; // R
 return 0; }
int main(void){ signal(SIGUSR1,h); GO(t,0); usleep(30000); pthread_mutex_lock(&m); g=2; // R
 pthread_mutex_unlock(&m); J; return 0;}
