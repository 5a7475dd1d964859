// A worker of a queue on the heap: what it does under the queue's lock is no race, what it does behind it is.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct queue {
  pthread_mutex_t lock;
  pthread_cond_t more;
  int jobs, taken;
} *q;
int done;
static int take(struct queue *x) {
  pthread_mutex_lock(&x->lock);
  while (!x->jobs) pthread_cond_wait(&x->more, &x->lock);
  x->jobs--;
  int n = ++x->taken;
  pthread_mutex_unlock(&x->lock);
  return n;
}
static void *worker(void *x) {
  for (;;) done = take(x);
}
int main(void) {
  pthread_t t;
  q = calloc(1, sizeof *q);
  pthread_mutex_init(&q->lock, 0);
  pthread_cond_init(&q->more, 0);
  pthread_create(&t, 0, worker, q);
  pthread_mutex_lock(&q->lock);
  q->jobs = 1;
  pthread_cond_signal(&q->more);
  pthread_mutex_unlock(&q->lock);
  usleep(20000);
  pthread_mutex_lock(&q->lock);
  int n = q->taken;
  q->jobs++;  // nobody is told any more
  pthread_mutex_unlock(&q->lock);
  done = n + 5;
  return 0;
}
