/*
 * args: 20
 */
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

static std::mutex lock;
static int made;
static std::shared_ptr<int> shared(int n) {
  static std::shared_ptr<int> one = std::make_shared<int>(n);
  return one;
}
struct Item {
  explicit Item(int n) : value(n) { ++made; }
  Item(const Item &o) : value(o.value) { ++made; }
  ~Item() { --made; }
  int value;
};
int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 5;
  std::map<int, std::string> m;
  std::set<long> s;
  std::multimap<int, int> mm;
  std::list<int> l;
  std::vector<Item> v;
  for (int i = 0; i < n; ++i) {
    int k = i * 7919 % 101;
    m[k] = std::string(static_cast<size_t>(i % 30), 'x') + std::to_string(k);
    s.insert(k % 13), mm.emplace(k % 5, i), l.push_front(k), v.emplace_back(k);
  }
  for (int i = 0; i < n; i += 3) m.erase(i * 7919 % 101), s.erase(i % 13);
  for (auto &[k, t] : m) std::printf("%d:%zu ", k, t.size());
  for (long x : s) std::printf("%ld ", x);
  for (auto it = mm.rbegin(); it != mm.rend(); ++it) std::printf("%d,%d ", it->first, it->second);
  l.sort(), l.reverse(), l.remove(7);
  std::printf("\n%d %d %zu\n", l.front(), l.back(), l.size());
  std::sort(v.begin(), v.end(), [](const Item &a, const Item &b) { return a.value < b.value; });
  std::printf("%d %d\n", v.front().value, std::accumulate(v.begin(), v.end(), 0, [](int a, const Item &i) { return a + i.value; }));
  std::string t = "hello", u = t + ", " + "world and more than fifteen";
  u.replace(0, 5, "goodbye"), u += '!', u.insert(3, "_"), u.erase(1, 1);
  std::printf("%s %zu %d %s\n", u.c_str(), u.find("world"), t < u, u.substr(3, 9).c_str());
  std::function<int(int)> f = [n](int x) { return x + n; };
  std::unique_ptr<Item> p = std::make_unique<Item>(f(1));
  std::optional<int> o = n > 3 ? std::optional<int>(n) : std::nullopt;
  std::printf("%d %d %d\n", p->value, o.value_or(0), *shared(n));
  std::vector<std::thread> threads;
  std::deque<int> q;
  std::condition_variable ready;
  std::atomic<int> sum{0};
  bool closed = false;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (;;) {
        std::unique_lock<std::mutex> g(lock);
        ready.wait(g, [&] { return closed || !q.empty(); });
        if (q.empty()) return;
        int x = q.front();
        q.pop_front();
        g.unlock();
        sum += x * *shared(i);
      }
    });
  for (int i = 0; i < n; ++i) {
    std::lock_guard<std::mutex> g(lock);
    q.push_back(i);
    ready.notify_one();
  }
  {
    std::lock_guard<std::mutex> g(lock);
    closed = true;
  }
  ready.notify_all();
  for (auto &x : threads) x.join();
  v.clear(), p.reset();
  std::printf("%d %d\n", sum.load(), made);
  return 0;
}
