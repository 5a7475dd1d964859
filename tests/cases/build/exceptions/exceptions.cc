// Activations that are left by exceptions: through frames with destructors that synchronize, frames without, and
// frames that only clean up. Function-local statics, call_once, jthread-like joins in destructors.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex m;
static std::once_flag flag;
static long total, cleaned;

struct Cleans {
  ~Cleans() {
    std::lock_guard<std::mutex> g(m);
    ++cleaned;
  }
};
struct Quiet {
  int *p;
  ~Quiet() { ++*p; }
};

static void thrower(int n) {
  std::unique_lock<std::mutex> g(m);
  total += n;
  if (n % 2) throw std::runtime_error("odd");
}
static void plain(int n) { thrower(n); }
static void with_quiet(int n, int *p) {
  Quiet q{p};
  plain(n);
}
static void with_cleanup(int n, int *p) {
  Cleans c;
  with_quiet(n, p);
}
static int initial() {
  std::lock_guard<std::mutex> g(m);
  return 100;
}
static int value() {
  static int v = initial();
  return v;
}

static void worker(int n) {
  int quiet = 0;
  std::call_once(flag, [] {
    std::lock_guard<std::mutex> g(m);
    total += 1000;
  });
  for (int i = 0; i < n; ++i) {
    try {
      with_cleanup(i, &quiet);
    } catch (const std::exception &e) {
      std::lock_guard<std::mutex> g(m);
      total += (long)sizeof "odd";
    }
  }
  int v = value();
  std::lock_guard<std::mutex> g(m);
  total += quiet + v;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4;
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) all.emplace_back(worker, n);
  for (auto &t : all) t.join();
  std::printf("total %ld, cleaned %ld\n", total, cleaned);
}
