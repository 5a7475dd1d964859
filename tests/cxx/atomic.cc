// A flag with release and acquire.
#include <atomic>
#include <cstdio>
#include <thread>
static int data;
static std::atomic<bool> ready{false};
int main() {
  std::thread t([] {
#ifdef RACY
    ready.store(true, std::memory_order_release);
    data = 42;  // R
#else
    data = 42;
    ready.store(true, std::memory_order_release);
#endif
  });
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  std::printf("%d\n", data);  // R
  t.join();
}
