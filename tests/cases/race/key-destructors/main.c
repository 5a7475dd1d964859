// main leaves by pthread_exit: the destructor runs in it too, and races with a worker; joined workers are ordered.
#include <pthread.h>
#include <stdio.h>
static int lost, fine;
static pthread_key_t key, other;
static void dtor(void *p) { (void)p; ++lost; }
static void quiet(void *p) { (void)p; ++fine; }
static void *w(void *p) { pthread_setspecific(key, p); return NULL; }
static void *v(void *p) { pthread_setspecific(other, p); return NULL; }
int main(void) {
  pthread_t t, u;
  pthread_key_create(&key, dtor);
  pthread_key_create(&other, quiet);
  pthread_create(&u, NULL, v, &u);
  pthread_join(u, NULL);
  fine++;
  pthread_setspecific(key, &t);
  pthread_create(&t, NULL, w, &t);
  pthread_exit(NULL);
}
