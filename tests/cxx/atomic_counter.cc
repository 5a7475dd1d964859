// An atomic counter, and what each thread counted for itself.
#include <atomic>
#include <cstdio>
#include <thread>
static std::atomic<int> all{0};
static int own[2];
static void work(int k) {
  for (int i = 0; i < 5; ++i) {
    all.fetch_add(1);
#ifdef RACY
    own[0]++;  // R
#else
    own[k]++;
#endif
  }
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::printf("%d %d\n", all.load(), own[0] + own[1]);
}
