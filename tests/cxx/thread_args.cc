// Arguments by value, by reference and by move.
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
static void work(int a, const std::string &s, std::unique_ptr<int> p, long &out) {
  out = a + (long)s.size() + *p;  // R
}
int main() {
  long one = 0, two = 0;
  std::thread s(work, 1, "hello", std::make_unique<int>(5), std::ref(one));
#ifdef RACY
  std::thread t(work, 2, std::string(50, 'x'), std::make_unique<int>(6), std::ref(one));
#else
  std::thread t(work, 2, std::string(50, 'x'), std::make_unique<int>(6), std::ref(two));
#endif
  s.join();
  t.join();
  std::printf("%ld\n", one + two);
}
