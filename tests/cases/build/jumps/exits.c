#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; static int c,n;
static void cl(void*p){ pthread_mutex_lock(&m); c+=(int)(long)p; pthread_mutex_unlock(&m);}
static void in(int k){ pthread_cleanup_push(cl,(void*)(long)(k+1)); if(k==0) pthread_exit((void*)9); in(k-1); pthread_cleanup_pop(1);}
static void *w(void*p){ pthread_cleanup_push(cl,(void*)100); if(n) in(n); pthread_cleanup_pop(1); return p;}
int main(int ac,char**av){ n=ac>1?atoi(av[1]):2; pthread_t t; void*r; pthread_create(&t,0,w,0); pthread_join(t,&r); printf("%d %ld\n",c,(long)r); return 0;}
