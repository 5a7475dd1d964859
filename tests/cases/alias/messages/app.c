#include <pthread.h>
#include <stdlib.h>

struct Job {
  struct Job *next;
  int *data;
};
static struct Job *queue;
static int table[8], other;

static void push(int *data) {
  struct Job *j = malloc(sizeof *j);
  j->data = data;
  j->next = queue;
  queue = j;
}

static void *worker(void *arg) {
  struct Job *j = queue;
  *j->data = 1;
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t;
  (void)argv;
  push(&table[argc]);
  pthread_create(&t, NULL, worker, NULL);
  table[2] = 2;
  other = 3;
  return pthread_join(t, NULL);
}
