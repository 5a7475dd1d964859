#include "all.h"
// PRE: echo 'mutex m' > ex
// RECORD: --exclude ex
#include <threads.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; int g; once_flag f=ONCE_FLAG_INIT;
void cb(void){ pthread_mutex_unlock(&m); }
void *t(void*a){ pthread_mutex_lock(&m); call_once(&f,cb); g=1; // R
 return 0; }
int main(void){ GO(t,0); pthread_mutex_lock(&m); g=2; // R
 pthread_mutex_unlock(&m); J; return 0;}
