// A pool of two workers, and a packaged piece of work each.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
class Pool {
  std::mutex m;
  std::condition_variable c;
  std::queue<std::function<void()>> work;
  bool stop = false;
  std::vector<std::thread> threads;
  void run() {
    for (;;) {
      std::function<void()> f;
      {
        std::unique_lock<std::mutex> l(m);
        c.wait(l, [this] { return stop || !work.empty(); });
        if (work.empty()) return;
        f = std::move(work.front());
        work.pop();
      }
      f();
    }
  }

public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) threads.emplace_back([this] { run(); });
  }
  void add(std::function<void()> f) {
    {
      std::lock_guard<std::mutex> l(m);
      work.push(std::move(f));
    }
    c.notify_one();
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> l(m);
      stop = true;
    }
    c.notify_all();
    for (auto &t : threads) t.join();
  }
};
static int results[4], shared;
int main() {
  {
    Pool p(2);
    for (int i = 0; i < 4; ++i)
      p.add([i] {
        results[i] = i * i;
#ifdef RACY
        shared += i;  // R
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
#endif
      });
  }
  int sum = shared;
  for (int r : results) sum += r;
  std::printf("%d\n", sum);
}
