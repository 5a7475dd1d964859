// A map of strings that several threads fill and read under a lock.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
static std::mutex m;
static std::map<std::string, int> words;
static void count(const char *w) {
  std::string key(w);
  std::lock_guard<std::mutex> l(m);
  words[key] += 1;  // R
}
static void run(int k) {
  count(k ? "one" : "two");
  count("both, and longer than sixteen letters");
}
int main() {
  std::thread a(run, 0), b(run, 1);
#ifdef RACY
  std::printf("%zu\n", words.count("one"));  // R
#endif
  a.join();
  b.join();
  for (auto &w : words) std::printf("%s %d\n", w.first.c_str(), w.second);
}
