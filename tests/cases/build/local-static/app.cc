// Which of the threads come upon the initialisation of a local static depends on how long they are held up.
#include <pthread.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total, made;
static int held_up;
static int initial() {
  usleep(150000);
  ++made;
  return 100;
}
static int number() {
  static int v = initial();
  return v;
}
static const std::string &text() {
  static const std::string s(static_cast<size_t>(initial()) / 10, 'x');
  return s;
}
static void *run(void *p) {
  if (p) usleep(static_cast<unsigned>(held_up));
  long n = number() + static_cast<long>(text().size());
  pthread_mutex_lock(&m);
  total += n;
  pthread_mutex_unlock(&m);
  return nullptr;
}
int main(int, char **v) {
  pthread_t t[3];
  held_up = atoi(v[1]);
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], nullptr, run, i ? v : nullptr);
  for (auto &x : t) pthread_join(x, nullptr);
  printf("%ld, made %ld\n", total, made);
}
