// Each token wakes one; who is woken without one would take what is not there.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
#include <unistd.h>

static std::mutex lock, other;
static std::condition_variable ready;
static int tokens, least;

static void take() {
  std::unique_lock<std::mutex> hold(lock);
  if (!tokens) ready.wait(hold);
  if (--tokens < least) least = tokens;
}

int main(int argc, char **) {
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) all.emplace_back(take);
  usleep(50000);
  for (int i = 0; i < 4; ++i) {
    {
      std::lock_guard<std::mutex> hold(lock);
      ++tokens;
      ready.notify_one();
    }
    if (argc > 1 && i == 1) std::lock_guard<std::mutex> hold(other);
    usleep(50000);
  }
  for (auto &t : all) t.join();
  std::printf("%d\n", least);
}
