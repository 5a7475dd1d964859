#include <unordered_map>
#include <unordered_set>
#include <thread>
#include <mutex>
#include <vector>
#include <string>
#include <memory>
#include <cstdio>
static std::mutex m; struct N { int x; };
int main() {
  std::vector<std::unique_ptr<N>> all; std::unordered_set<N *> set; std::string s = "abc"; s += s;
  for (int i = 0; i < 10; ++i) all.push_back(std::make_unique<N>()), set.insert(all.back().get());
  std::thread t([&] { std::lock_guard<std::mutex> g(m); }); t.join();
  printf("%zu\n", set.size());
}
