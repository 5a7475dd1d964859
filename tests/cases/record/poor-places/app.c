// Adds up its arguments, and the numbers in a file if there is one; says which descriptors are free.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void *add(void *text) {
  pthread_mutex_lock(&m);
  sum += atol(text);
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  char line[32] = "0";
  int free_one = open("/dev/null", O_RDONLY);
  FILE *f = argc > 2 && !strcmp(argv[1], "-f") ? fopen(argv[2], "r") : NULL;
  if (f && !fgets(line, sizeof line, f)) return 2;
  for (int i = 1; i < argc; ++i) sum += atol(argv[i]);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, add, line);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  FILE *out = fopen(getenv("OUT") ? getenv("OUT") : "/dev/stdout", "w");
  if (out) fprintf(out, "%ld, descriptor %d\n", sum, free_one);
  return 0;
}
