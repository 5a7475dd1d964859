// Where the part of the second thread begins is read from standard input, and nobody compares it with the length of
// the first.
#include <pthread.h>
#include <stdio.h>

enum { ROOM = 100 };
static int length, begin, out[2 * ROOM];

static void *first(void *arg) {
  (void)arg;
  for (int i = 0; i < length; ++i) out[i] = 1;
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  out[begin] = 2;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  if (scanf("%d %d", &length, &begin) != 2) return 2;
  if (length < 0 || length > ROOM || begin < 0 || begin > ROOM) return 2;
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
