// A function that locks, called several times by both threads.
#include <mutex>
#include <thread>
static std::mutex m;
static int g;
static void add(int k) {
  std::lock_guard<std::mutex> l(m);
  g += k;  // R
}
int main() {
  std::thread t([] {
    add(1);
    add(2);
  });
  add(3);
#ifdef RACY
  g += 4;  // R
#endif
  t.join();
  return g == 77;
}
