#define _GNU_SOURCE
// Prints each variable of its environment that we could have added: as main is given it, as the C library sees
// it, as a child gets it. Reads a pipe, whose recording needs a variable too.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static void *reader(void *arg) {
  int c;
  while ((c = getchar()) != EOF) {
    pthread_mutex_lock(&lock);
    lines += c == '\n';
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
static void show(const char *who, char **env) {
  int n = 0;
  for (; *env; ++env) {
    ++n;
    if (!strncmp(*env, "SPECIALIZE_", 11)) printf("%s: %s\n", who, *env);
  }
  printf("%s: %d variables\n", who, n);
}
int main(int argc, char **argv, char **envp) {
  pthread_t t;
  (void)argc, (void)argv;
  show("main", envp);
  show("libc", environ);
  fflush(stdout);
  if (system("env | grep '^SPECIALIZE_'; env | grep -vc '^\\(_\\|PWD\\|SHLVL\\|OLDPWD\\)='")) return 1;
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(t, NULL);
  printf("%d lines\n", lines);
  return 0;
}
