// The name by which it is called decides.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *name;

static void *worker(void *arg) { return arg; }
static int is_long(void) { return strstr(name, "long") != NULL; }

int main(int argc, char **argv) {
  pthread_t t;
  name = argv[0];
  for (int i = 0; i < argc + is_long(); ++i) pthread_create(&t, NULL, worker, NULL), pthread_join(t, NULL);
  return 0;
}
