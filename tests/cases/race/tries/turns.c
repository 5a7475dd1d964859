// Who takes the lock first is left to chance; nothing races.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns[2];

static void *worker(void *arg) {
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&lock);
    turns[arg != NULL]++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, &lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%s %d %s\n", argc > 1 ? argv[1] : "", turns[0] + turns[1], argc > 2 ? argv[2] : "");
  return 0;
}
