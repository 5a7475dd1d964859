#include <map>
#include <thread>
#include <mutex>
#include <condition_variable>
#include <vector>
#include <deque>
#include <string>
#include <memory>
#include <algorithm>
#include <functional>
#include <cstdio>
#include <future>
#include <iostream>
#include <unordered_map>
static std::mutex m; std::condition_variable c; std::deque<std::function<int()>> q;
int main() {
  std::vector<std::string> v; for (int i = 0; i < 20; ++i) v.push_back("x" + std::to_string(i)); std::sort(v.begin(), v.end());
  std::map<std::string, std::shared_ptr<int>> mm; for (auto &s : v) mm[s] = std::make_shared<int>(3); std::unordered_map<std::string,int> um; um["x"]=3; std::unordered_map<int,int> ui; ui[4]=4;
  std::thread t([&] { std::unique_lock<std::mutex> g(m); c.wait(g, [] { return !q.empty(); }); q.front()(); });
  { std::lock_guard<std::mutex> g(m); q.push_back([] { return 1; }); } c.notify_one(); t.join();
  auto f = std::async(std::launch::async, [] { return 7; });
  std::cout << f.get() << " " << mm.size() << "\n";
}
