// std::call_once: whoever comes first initializes, all read.
#include <cstdio>
#include <mutex>
#include <thread>
static std::once_flag flag;
static int table[4];
static void init() {
  for (int i = 0; i < 4; ++i) table[i] = i * i;  // R
}
static int get(int i) {
  std::call_once(flag, init);
  return table[i];
}
int main() {
  int a = 0, b = 0;
  std::thread s([&] { a = get(2); }), t([&] { b = get(3); });
#ifdef RACY
  std::printf("%d\n", table[1]);  // R
#endif
  s.join();
  t.join();
  std::printf("%d\n", a + b);
}
