// Two std::async with lambdas that capture, each with memory of its own.
#include <cstdio>
#include <future>
#include <numeric>
#include <vector>
int main() {
  std::vector<int> v(100, 1);
  int sums[2] = {0, 0};
  auto part = [&](int k, size_t from, size_t to) {
    int sum = 0;
    for (size_t i = from; i < to; ++i) sum += v[i];
#ifdef RACY
    k = 0;
#endif
    sums[k] += sum;  // R
    return sum;
  };
  auto a = std::async(std::launch::async, part, 0, 0, 50);
  auto b = std::async(std::launch::async, part, 1, 50, 100);
  std::printf("%d\n", a.get() + b.get());
  return sums[0] == 77;
}
