// A map that grows under a lock.
#include <map>
#include <mutex>
#include <thread>
static std::mutex m;
static std::map<int, int> d;
int main() {
  std::thread t([] {
    std::lock_guard l(m);
    d[1]++;  // R
  });
  {
#ifndef RACY
    std::lock_guard l(m);
#endif
    d[2]++;  // R
  }
  t.join();
  return d.size() == 77;
}
