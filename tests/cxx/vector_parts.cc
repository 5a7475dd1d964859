// A vector of threads, each with its own part of an array.
#include <cstdio>
#include <thread>
#include <vector>
static const int N = 4;
static void part(std::vector<int> &v, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) v[i] += (int)i;  // R
}
int main() {
  std::vector<int> v(40);
  std::vector<std::thread> threads;
#ifdef RACY
  const size_t overlap = 1;
#else
  const size_t overlap = 0;
#endif
  for (size_t k = 0; k < N; ++k) threads.emplace_back(part, std::ref(v), k * 10, k == N - 1 ? 40 : k * 10 + 10 + overlap);
  for (auto &t : threads) t.join();
  int sum = 0;
  for (int x : v) sum += x;
  std::printf("%d\n", sum);
}
