// One thread frees what the other still uses: it counts one use too few.
// Expected: signal 11; crash 23; cause 12 14.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
struct box { char *data; int uses; };
static struct box *box;
static sem_t dropped;
enum { SIZE = 64 << 20 };
static void drop(struct box *b) {
  b->uses = b->uses - 1;
  if (b->uses <= 1)
    free(b->data);
}
static void *owner(void *arg) {
  drop(box);
  sem_post(&dropped);
  return arg;
}
static int use(struct box *b) {
  int n = SIZE / 2;
  return b->data[n];
}
int main(void) {
  pthread_t t;
  sem_init(&dropped, 0, 0);
  box = malloc(sizeof *box);
  box->uses = 2;
  box->data = calloc(SIZE, 1);
  pthread_create(&t, NULL, owner, NULL);
  sem_wait(&dropped);
  printf("%d\n", use(box));
  pthread_join(t, NULL);
  return 0;
}
