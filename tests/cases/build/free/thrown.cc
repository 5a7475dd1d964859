// Exceptions where a run leaves its schedule, or after: one a mode; recorded with mode 0.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

enum { PLAIN, THROWS, RETURNS, OTHER, BETWEEN, LATER, WAITING, GUARD };
static int mode;
static std::mutex m, m2;
static std::condition_variable changed;
static long total, cleaned;
static bool ready, waits;

struct Cleans {
  ~Cleans() {
    std::lock_guard<std::mutex> g(m);
    ++cleaned;
  }
};
static void add(long n) {
  std::lock_guard<std::mutex> g(m);
  total += n;
}
__attribute__((noinline)) static long quiet(long n) {
  if (mode == BETWEEN && n == 4) throw 17;
  return n * 2;
}
static long item(long n) {
  Cleans c;
  add(n);
  if (n == 3 && mode != RETURNS) {
    if (mode == OTHER) throw std::logic_error("other");
    throw std::runtime_error("third");
  }
  if (n == 2 && mode == THROWS) throw std::runtime_error("second");
  long r = quiet(n);
  add(r);
  return r + 1;
}
static long middle(long n) {
  Cleans c;
  long before = n * 7, r = item(n);
  return before + r;
}
static long one(long n) {
  try {
    return middle(n);
  } catch (const std::runtime_error &e) {
    add(e.what()[0]);
    return 100;
  } catch (int i) {
    add(i);
    return 200;
  }
}
static long thrower(long n) {
  Cleans c;
  if (mode == LATER) {
    add(1);
    if (n == 1) throw std::out_of_range("later");
    add(2);
  }
  add(n);
  return n;
}
static long first_use() {
  static long v = (add(mode == GUARD ? 50 : 5), mode == GUARD ? (add(1), 8) : 9);
  return v;
}
static void worker() {
  for (long n = 1; n < 6; ++n) {
    long r = 0;
    try {
      r = one(n);
    } catch (const std::logic_error &e) {
      add(e.what()[1]);
      r = 300;
    }
    add(r);
  }
  try {
    add(thrower(0) + thrower(1));
  } catch (const std::exception &) {
    add(1000);
  }
  add(first_use());
  std::unique_lock<std::mutex> g(m);
  waits = true;
  changed.notify_all();
  changed.wait(g, [] { return ready; });
  ++total;
}

int main(int argc, char **argv) {
  mode = argc > 1 ? atoi(argv[1]) : 0;
  std::thread t(worker);
  {
    std::unique_lock<std::mutex> g(m);
    changed.wait(g, [] { return waits; });
    if (mode == WAITING) {
      std::lock_guard<std::mutex> inner(m2);
      total += 11;
    }
    ready = true;
    changed.notify_all();
  }
  t.join();
  std::printf("mode %d total %ld cleaned %ld\n", mode, total, cleaned);
}
