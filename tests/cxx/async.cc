// std::async, and its result.
#include <cstdio>
#include <future>
static int steps;
static int work(int n) {
  steps = n;  // R
  return n * 2;
}
int main() {
  auto f = std::async(std::launch::async, work, 21);
#ifdef RACY
  steps++;  // R
#endif
  std::printf("%d\n", f.get());
  return steps == 77;
}
