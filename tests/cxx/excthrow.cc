// Exceptions that are thrown and caught within each thread.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
static int caught[2], all;
static int parse(const std::string &s) {
  if (s.empty()) throw std::invalid_argument("empty");
  return (int)s.size();
}
static void work(int k) {
  try {
    parse("ok");
    parse("");
  } catch (const std::invalid_argument &e) {
    caught[k] = e.what()[0];
#ifdef RACY
    ++all;  // R
#endif
  }
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::printf("%d %d\n", caught[0] + caught[1], all);
}
