/* the program changes its own environment, and a file that it reads twice */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static int first_of(const char *path) {
  FILE *f = fopen(path, "r");
  int x = -1;
  if (f && fscanf(f, "%d", &x) != 1) x = -2;
  if (f) fclose(f);
  return x;
}
static void put(const char *path, int x) {
  FILE *f = fopen(path, "w");
  fprintf(f, "%d\n", x);
  fclose(f);
}
static void *run(void *x) {
  pthread_mutex_lock(&m);
  setenv("LEVEL", "6", 1);
  put("setting.txt", 9);
  pthread_mutex_unlock(&m);
  return x;
}
int main(void) {
  pthread_t t;
  put("setting.txt", 8);
  int before = atoi(getenv("LEVEL")), file = first_of("setting.txt");
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  int after = atoi(getenv("LEVEL")), again = first_of("setting.txt");
  pthread_mutex_lock(&m);
  if (after == before) puts("unchanged");
  if (again == file) puts("same file");
  printf("%d %d, %d %d\n", before, after, file, again);
  pthread_mutex_unlock(&m);
  unlink("setting.txt");
  return 0;
}
