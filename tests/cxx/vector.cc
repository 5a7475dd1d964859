// push_back under a lock.
#include <mutex>
#include <thread>
#include <vector>
static std::mutex m;
static std::vector<int> d;
int main() {
  std::thread t([] {
    std::lock_guard l(m);
    d.push_back(1);  // R
  });
  {
#ifndef RACY
    std::lock_guard l(m);
#endif
    d.push_back(2);  // R
  }
  t.join();
  return d.size() == 77;
}
