// A queue of std::function, with one worker.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable c;
static std::deque<std::function<void()>> q;
static bool done;
static int a, b;
static void worker() {
  for (;;) {
    std::function<void()> f;
    {
      std::unique_lock<std::mutex> l(m);
      c.wait(l, [] { return done || !q.empty(); });
      if (q.empty()) return;
      f = std::move(q.front());
      q.pop_front();
    }
    f();
  }
}
static void push(std::function<void()> f) {
  std::lock_guard<std::mutex> l(m);
  q.push_back(std::move(f));
  c.notify_one();
}
int main() {
  std::thread t(worker);
  int k = 3;
  push([] { a = 1; });  // R
  push([k] { b += k; });
#ifdef RACY
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::printf("%d\n", a);  // R
#endif
  {
    std::lock_guard<std::mutex> l(m);
    done = true;
  }
  c.notify_one();
  t.join();
  std::printf("%d %d\n", a, b);
}
