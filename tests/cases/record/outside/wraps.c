// Has a pthread_create of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static int made;
int pthread_create(pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *p) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  ++made;
  return real(id, a, f, p);
}
int worker(int);
int main(void) {
  int steps = worker(1);
  printf("%d steps, %d made\n", steps, made);
  return 0;
}
