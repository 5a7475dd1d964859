// The text of arguments and the vector of them are memory like any other.
#include <pthread.h>
#include <stdlib.h>
static char **words;
static void *worker(void *p) {
  char *text = p;
  text[0] = '7';
  words[2] = text;
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t;
  words = argv;
  pthread_create(&t, NULL, worker, argv[1]);
  int n = atoi(argv[1]);
  argv[2] = NULL;
  pthread_join(t, NULL);
  return n == 5;
}
