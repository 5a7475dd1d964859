// A promise that a thread keeps.
#include <cstdio>
#include <future>
#include <thread>
static int side;
int main() {
  std::promise<int> p;
  auto f = p.get_future();
  std::thread t([&] {
    side = 1;  // R
    p.set_value(42);
#ifdef RACY
    side = 2;  // R
#endif
  });
  std::printf("%d\n", f.get());
  side++;  // R
  t.join();
}
