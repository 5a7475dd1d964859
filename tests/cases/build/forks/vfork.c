// Children that borrow the parent's memory, one of which takes a lock, and others that programs are run in.
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void add(int n) {
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
}

static void *worker(void *p) {
  for (int i = 0; i < 3; ++i) add(1);
  return p;
}

static int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static int run(const char *what) {
  pid_t child = vfork();
  if (!child) {
    add(10);
    execl("/bin/sh", "sh", "-c", what, (char *)NULL);
    _exit(127);
  }
  add(100);
  return status_of(child);
}

int main(void) {
  pthread_t t[2];
  char text[20] = "", *argv[] = {"sh", "-c", "exit 5", NULL};
  pid_t child;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  printf("%d", run("exit 3"));
  printf(" %d", run("exit 4"));
  posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ);
  printf(" %d", status_of(child));
  fflush(stdout);
  FILE *f = popen("echo popen", "r");
  if (fgets(text, sizeof text, f)) printf(" %s", text);
  printf("%d %d\n", pclose(f), WEXITSTATUS(system("exit 6")));
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", sum);
  return 0;
}
