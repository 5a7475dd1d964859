#include <pthread.h>
int g; __attribute__((target_clones("avx2","default"))) void f(void){ g=1; } // R
void *t(void*a){ f(); return 0; }
int main(void){ pthread_t th; pthread_create(&th, 0, t, 0); g=2; // R
 pthread_join(th, 0);return 0;}
