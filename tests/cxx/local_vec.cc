// Vectors and maps that are local to each thread.
#include <algorithm>
#include <cstdio>
#include <map>
#include <thread>
#include <vector>
static int out[2], common;
static void work(int k) {
  std::vector<int> v;
  std::map<int, std::vector<int>> groups;
  for (int i = 0; i < 10; ++i) v.push_back((i * 7 + k) % 10);
  std::sort(v.begin(), v.end());
  for (int x : v) groups[x % 3].push_back(x);
  out[k] = (int)groups[1].size() + v.front();
#ifdef RACY
  common = v.back();  // R
#endif
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::printf("%d %d\n", out[0] + out[1], common);
}
