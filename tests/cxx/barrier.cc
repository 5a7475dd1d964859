// C++20's barrier between two phases.
// std: c++20
#include <barrier>
#include <cstdio>
#include <thread>
static int left[2], right[2];
static void work(std::barrier<> &b, int k) {
  left[k] = k + 1;  // R
#ifndef RACY
  b.arrive_and_wait();
#endif
  right[k] = left[1 - k];  // R
#ifdef RACY
  b.arrive_and_wait();
#endif
}
int main() {
  std::barrier<> b(2);
  std::thread s([&] { work(b, 0); }), t([&] { work(b, 1); });
  s.join();
  t.join();
  std::printf("%d\n", right[0] + right[1]);
}
