// C++20's latch: main waits until both have written.
// std: c++20
#include <cstdio>
#include <latch>
#include <thread>
static int value[2];
int main() {
  std::latch ready(2);
  auto work = [&](int k) {
#ifndef RACY
    value[k] = k + 1;
#endif
    ready.count_down();
#ifdef RACY
    value[k] = k + 1;  // R
#endif
  };
  std::thread s(work, 0), t(work, 1);
  ready.wait();
  std::printf("%d\n", value[0] + value[1]);  // R
  s.join();
  t.join();
}
