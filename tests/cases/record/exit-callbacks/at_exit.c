#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
void f(void){ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
int main(void){ atexit(f); exit(0); }
