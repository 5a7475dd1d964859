// lock_guard around a counter, in main and in a thread of the only type.
#include <mutex>
#include <thread>
static std::mutex m;
static int g;
int main() {
  std::thread t([] {
    std::lock_guard l(m);
    g++;  // R
  });
  {
#ifndef RACY
    std::lock_guard l(m);
#endif
    g++;  // R
  }
  t.join();
  return g == 77;
}
