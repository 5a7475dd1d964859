#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; static int c;
static void cl(void*p){ pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m);}
static void in(int k){ pthread_cleanup_push(cl,0); if(!k) for(;;) sleep(100); in(k-1); pthread_cleanup_pop(1);}
static void *w(void*p){ pthread_cleanup_push(cl,0); in(2); pthread_cleanup_pop(1); return p;}
int main(void){ pthread_t t; pthread_create(&t,0,w,0); usleep(20000); pthread_cancel(t); pthread_join(t,0); printf("%d\n",c); return 0;}
