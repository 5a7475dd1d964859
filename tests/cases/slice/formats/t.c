#include <assert.h>
#include <pthread.h>
static int x;
static void *run(void *p) {
  x = *(int *)p;
  return NULL;
}
int main(void) {
  pthread_t t;
  int five = 5;
  pthread_create(&t, NULL, run, &five);
  pthread_join(t, NULL);
  assert(x == 6);
  return 0;
}
