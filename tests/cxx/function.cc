// std::function that captures, called in a thread.
#include <cstdio>
#include <functional>
#include <thread>
static int calls;
int main() {
  int base = 5, result = 0;
  std::function<int(int)> f = [base](int x) {
    ++calls;  // R
    return base + x;
  };
  std::thread t([&] { result = f(2); });
#ifdef RACY
  std::printf("%d\n", f(3));
#endif
  t.join();
  std::printf("%d %d\n", result, f(4));
}
