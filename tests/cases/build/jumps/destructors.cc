// Cancelled C++ threads: destructors lock as the stack is unwound, in a wait, asleep, and below a catch-all that throws on.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

static std::mutex lock;
static std::condition_variable never;
static int cleaned;

struct Clean {
  int by;
  ~Clean() {
    std::lock_guard<std::mutex> hold(lock);
    cleaned += by;
  }
};

static void wait_for_ever() {
  Clean c{1};
  std::unique_lock<std::mutex> hold(lock);
  for (;;) never.wait(hold);
}

static void *waits(void *) {
  Clean c{10};
  wait_for_ever();
  return nullptr;
}

static void *sleeps(void *) {
  Clean c{100};
  try {
    Clean d{1000};
    for (;;) usleep(1000);
  } catch (...) {
    Clean e{10000};
    throw;
  }
  return nullptr;
}

int main() {
  pthread_t t[2];
  pthread_create(&t[0], nullptr, waits, nullptr);
  pthread_create(&t[1], nullptr, sleeps, nullptr);
  usleep(30000);
  for (pthread_t one : t) pthread_cancel(one), pthread_join(one, nullptr);
  std::printf("%d\n", cleaned);
  return 0;
}
