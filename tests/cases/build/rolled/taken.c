#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int (*volatile take)(pthread_mutex_t *) = pthread_mutex_lock;
int main(void) {
  take(&m);
  return pthread_mutex_unlock(&m);
}
