/* six locks, each taken if its argument is not 0 */
#include <pthread.h>
#include <stdlib.h>
#define TRY(n)                                               \
  if (argc > n && atoi(argv[n])) {                           \
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; \
    pthread_mutex_lock(&lock);                               \
    pthread_mutex_unlock(&lock);                             \
  }
int main(int argc, char **argv) {
  TRY(1)
  TRY(2)
  TRY(3)
  TRY(4)
  TRY(5)
  TRY(6)
  return 0;
}
