#include <pthread.h>
#include <stdio.h>
static void *run(void *p) {
  return p;
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  if (argc > 5)
    printf("%s\n", argv[5]);
  return 0;
}
