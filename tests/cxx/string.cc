// A string that grows under a lock.
#include <mutex>
#include <string>
#include <thread>
static std::mutex m;
static std::string s;
int main() {
  std::thread t([] {
    std::lock_guard l(m);
    s += "abc";  // R
  });
  {
#ifndef RACY
    std::lock_guard l(m);
#endif
    s += "def";  // R
  }
  t.join();
  return s.size() == 77;
}
