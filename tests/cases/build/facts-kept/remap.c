/* memory that is mapped anew where the program had some */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
static _Alignas(4096) int page[1024];
int main(void) {
  pthread_t t;
  page[0] = 6;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  mmap(page, sizeof page, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page[0] == 6) puts("as it was");
  printf("%d %d\n", n, page[0]);
  return 0;
}
