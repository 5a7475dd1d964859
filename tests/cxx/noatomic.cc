// A lambda without captures, and a plain counter.
#include <thread>
static int g;
int main() {
  std::thread t([] { g++; });  // R
#ifdef RACY
  g++;  // R
  t.join();
#else
  t.join();
  g++;
#endif
  return g == 77;
}
