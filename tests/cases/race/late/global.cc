#include <pthread.h>
#include <unistd.h>
struct G {
  int v = 1;
  ~G() { v = 0; }
} g;
static void *f(void *) {
  for (int i = 0; i < 100; i++) {
    g.v++;
    usleep(1000);
  }
  return nullptr;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
  usleep(5000);
  return 0;
}
