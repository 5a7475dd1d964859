#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void *mine(void *p) {
  return p;
}
int main(void) {
  void *library = dlopen("./libworker.so", RTLD_NOW);
  int (*work)(int);
  *(void **)&work = dlsym(library, "worker");
  pthread_t t;
  pthread_create(&t, 0, mine, 0);
  pthread_join(t, 0);
  printf("%d steps\n", work(1));
  return 0;
}
