// Two threads print to cout, each its own text.
#include <iostream>
#include <thread>
static int lines;
static void work(int k) {
  std::cout << (k ? "one\n" : "two\n");
#ifdef RACY
  ++lines;  // R
#endif
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::cout << lines << std::endl;
}
