// What a thread of the C++ library runs, if it does not synchronize: a virtual function like the destructor that the
// creator calls.
#include <atomic>
#include <thread>
static std::atomic<int> ready{0};
static int data;
int main() {
  std::thread t([] {
    data = 1;
    ready.store(1, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_relaxed));
  data = 2;
  t.join();
  return data == 5;
}
