// Callbacks throw through a library, which catches.
#include <cstdio>
#include <mutex>
#include <thread>

extern "C" int guarded(void (*)(int), int);
static std::mutex lock;
static int n;

static void inner(int k) {
  {
    std::lock_guard<std::mutex> hold(lock);
    n += k;
  }
  if (k & 1) throw k;
}
static void outer(int k) {
  inner(k);
  std::lock_guard<std::mutex> hold(lock);
  n += 100;
}
static int again(int k) { return guarded(outer, k) + guarded(inner, k + 1); }

int main() {
  int caught = 0;
  std::thread t([&] {
    for (int i = 0; i < 3; ++i) caught += again(i);
  });
  t.join();
  std::printf("%d %d\n", n, caught);
}
