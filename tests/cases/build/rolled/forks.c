#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv) {
  (void)argv;
  pthread_mutex_lock(&m);
  if (argc > 2 && !syscall(SYS_fork)) _exit(0);
  return pthread_mutex_unlock(&m);
}
