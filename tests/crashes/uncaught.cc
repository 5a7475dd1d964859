// An exception that nobody catches, thrown for a number that another thread gave.
// Expected: signal 6; crash 10; cause 9 17.
#include <cstdio>
#include <mutex>
#include <thread>
static std::mutex m;
static int limit = 10;
static int half(int x) {
  if (x > limit)
    throw x;
  return x / 2;
}
static int shared;
static void give(int x) {
  std::lock_guard<std::mutex> g(m);
  int twice = x * 2;
  shared = twice;
}
int main() {
  std::thread t(give, 21);
  t.join();
  int r = half(shared);
  std::printf("%d\n", r);
  return 0;
}
