// std::latch, atomic wait and notify.
#include <atomic>
#include <cstdio>
#include <latch>
#include <thread>
static int a, b, sum;
static std::atomic<int> stage;
int main() {
  std::latch both(2);
  std::thread t([&] { a = 1; both.count_down(); stage.wait(0, std::memory_order_acquire); sum += b; });
  std::thread u([&] { b = 2; both.count_down(); });
  both.wait();
  sum = a + b;
  stage.store(1, std::memory_order_release);
  stage.notify_all();
  t.join(), u.join();
  std::printf("%d\n", sum);
}
