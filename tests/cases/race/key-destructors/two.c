// Two workers race on `lost` in the destructor of a key, which the main thread never runs.
#include <pthread.h>
#include <stdio.h>
static int lost;
static pthread_key_t key;
static void dtor(void *p) { (void)p; ++lost; }
static void *w(void *p) { pthread_setspecific(key, p); return NULL; }
int main(void) {
  pthread_t t[2];
  pthread_key_create(&key, dtor);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, w, &t[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", lost);
}
