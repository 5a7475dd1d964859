#include <pthread.h>
#include <unistd.h>
#include <sys/wait.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
void pre(void){ pthread_mutex_lock(&m); } void post(void){ pthread_mutex_unlock(&m); }
int main(void){ pthread_atfork(pre,post,post); if(fork()==0)_exit(0); wait(0); return 0; }
