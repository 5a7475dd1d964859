// A queue with a condition variable.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
static std::mutex m;
static std::condition_variable c;
static std::deque<std::string> q;
static bool done;
static size_t total;
int main() {
  std::thread t([] {
    for (;;) {
      std::unique_lock<std::mutex> l(m);
      c.wait(l, [] { return done || !q.empty(); });
      if (q.empty()) return;
      std::string s = std::move(q.front());
      q.pop_front();
      total += s.size();  // R
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::lock_guard<std::mutex> l(m);
    q.push_back(std::string(40, 'x'));
    c.notify_one();
  }
#ifdef RACY
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::printf("%zu\n", total);  // R
#endif
  {
    std::lock_guard<std::mutex> l(m);
    done = true;
    c.notify_one();
  }
  t.join();
  std::printf("%zu\n", total);
}
