// A pointer that a lookup did not find is used.
// Expected: signal 11; crash 21; cause 12 14.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
struct entry { const char *name; int value; };
static struct entry table[2] = {{"one", 1}, {"two", 2}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static struct entry *find(const char *name) {
  for (int i = 0; i < 2; ++i)
    if (!strcmp(table[i].name, name))
      return &table[i];
  return NULL;
}
static void *work(void *arg) {
  const char *name = arg;
  struct entry *e = find(name);
  pthread_mutex_lock(&lock);
  sum +=
      e->value;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(void) {
  static char *names[] = {"one", "three"};
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, names[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", sum);
  return 0;
}
