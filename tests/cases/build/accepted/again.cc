// once_flags in memory that is used again: on the heap, and in the state of futures.
#include <cstdio>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int ran;

static int work(int k) {
  std::lock_guard<std::mutex> hold(lock);
  ++ran;
  if (k > 1) throw std::runtime_error("no");
  return k;
}

struct Lazy {
  std::once_flag once;
  int value = 0;
  int get() {
    std::call_once(once, [this] { value = work(1) + 6; });
    return value;
  }
};

int main() {
  int caught = 0, sum = 0;
  for (int k = 0; k < 3; ++k) {
    std::packaged_task<int(int)> task(work);
    std::future<int> f = task.get_future();
    std::thread(std::move(task), k).join();
    try {
      sum += f.get();
    } catch (const std::exception &) {
      ++caught;
    }
  }
  for (int k = 0; k < 3; ++k) {
    Lazy *l = new Lazy;
    std::thread t([l] { l->get(); });
    sum += l->get();
    t.join();
    delete l;
  }
  std::printf("%d %d %d\n", ran, caught, sum);
}
