// An unordered_map under a shared_mutex: many read, one writes.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
static std::shared_mutex m;
static std::unordered_map<std::string, int> d;
static int find(const std::string &k) {
#ifndef RACY
  std::shared_lock<std::shared_mutex> l(m);
#endif
  auto i = d.find(k);  // R
  return i == d.end() ? -1 : i->second;
}
static void set(const std::string &k, int v) {
  std::unique_lock<std::shared_mutex> l(m);
  d[k] = v;  // R
}
int main() {
  set("x", 1);
  std::thread t([] {
    set("y", 2);
    set("a longer key than fits into the string", 3);
  });
  int n = find("x") + find("y");
  t.join();
  std::printf("%d\n", n + find("y") > 0);
}
