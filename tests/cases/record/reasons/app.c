// How many threads there are depends on what the first argument names.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  ++n;
  pthread_mutex_unlock(&lock);
  return arg;
}

static int asked(const char *what) {
  struct tm t = {.tm_year = 126, .tm_mday = 1};
  struct stat st;
  if (!strcmp(what, "mkdir")) return mkdir("folder", 0700) == 0;
  if (!strcmp(what, "excl")) return open("new", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0;
  if (!strcmp(what, "zone")) return mktime(&t) % 86400 == 0;
  if (!strcmp(what, "lseek")) return lseek(0, 0, SEEK_END) > 10;
  if (!strcmp(what, "rename")) return rename("old", "renamed") == 0;
  if (!strcmp(what, "unlink")) return unlink("gone") == 0;
  if (!strcmp(what, "stat")) return stat("app", &st) == 0;
  if (!strcmp(what, "access")) return access("app", R_OK) == 0;
  if (!strcmp(what, "signal")) return kill(1, 0) == 0;
  if (!strcmp(what, "unused")) mkdir("unused", 0700);
  return 1;
}

int main(int argc, char **argv) {
  pthread_t t[3];
  int count = 1 + (argc > 1 && asked(argv[1]));
  for (int i = 0; i < count; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < count; ++i) pthread_join(t[i], NULL);
  if (argc > 7) fprintf(stderr, "usage: %s\n", argv[0]);
  return n == 0;
}
