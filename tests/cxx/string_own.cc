// Strings that belong to one thread each, made from text that all share.
#include <cstdio>
#include <string>
#include <thread>
static const char *const names[2] = {"a short one", "one that is longer than the object itself can hold"};
static std::string last;
static size_t sizes[2];
static void work(int k) {
  std::string s;
  for (int i = 0; i < 3; ++i) s += names[k];
  s.replace(0, 1, "XY");
  sizes[k] = s.size();
#ifdef RACY
  last = s;  // R
#endif
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::printf("%zu %zu %zu\n", sizes[0], sizes[1], last.size());
}
