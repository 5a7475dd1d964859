// What is passed by value, and may throw under the lock.
#include <mutex>
#include <thread>
#include <vector>
static std::mutex m;
static int g;
static void add(std::vector<int> v) {
#ifdef RACY
  g += v.at(0);  // R
#else
  std::lock_guard<std::mutex> l(m);
  g += v.at(0);
#endif
}
int main() {
  std::thread t([] {
    add({1});
    add({2});
  });
  add({3});
  t.join();
  return g == 77;
}
