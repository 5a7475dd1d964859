// A queue as a class template, filled by two threads.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <thread>
template <class T> class Queue {
  std::mutex m;
  std::condition_variable c;
  std::queue<T> q;

public:
  void push(T v) {
    {
      std::lock_guard<std::mutex> l(m);
      q.push(std::move(v));  // R
    }
    c.notify_one();
  }
  T pop() {
    std::unique_lock<std::mutex> l(m);
    c.wait(l, [this] { return !q.empty(); });
    T v = std::move(q.front());
    q.pop();
    return v;
  }
  bool empty() {
    return q.empty();  // R
  }
};
int main() {
  Queue<int> q;
  auto fill = [&](int from) {
#ifdef RACY
    if (q.empty()) from += 100;
#endif
    for (int i = 0; i < 3; ++i) q.push(from + i);
  };
  std::thread a(fill, 0), b(fill, 10);
  int sum = 0;
  for (int i = 0; i < 6; ++i) sum += q.pop();
  a.join();
  b.join();
  std::printf("%d\n", sum + q.empty());
}
