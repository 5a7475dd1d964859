// A spin lock of atomic_flag.
#include <atomic>
#include <cstdio>
#include <thread>
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static int n;
static void add() {
  for (int i = 0; i < 3; ++i) {
    while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
#ifndef RACY
    ++n;
#endif
    flag.clear(std::memory_order_release);
#ifdef RACY
    ++n;  // R
#endif
  }
}
int main() {
  std::thread s(add), t(add);
  s.join();
  t.join();
  std::printf("%d\n", n);
}
