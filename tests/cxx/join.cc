// What a thread wrote is read behind its join.
#include <cstdio>
#include <thread>
static int total;
static void add(int n) {
  for (int i = 0; i < n; ++i) total += i;  // R
}
int main() {
  std::thread t(add, 10);
#ifdef RACY
  std::printf("%d\n", total);  // R
  t.join();
#else
  t.join();
  std::printf("%d\n", total);
#endif
}
