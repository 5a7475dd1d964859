// args:
#include <mutex>
#include <thread>
static std::mutex a, b;
static void first() {
  std::lock_guard<std::mutex> x(a);
  std::lock_guard<std::mutex> y(b);
}
static void second() {
#ifdef FIXED
  std::scoped_lock both(b, a);
#else
  std::lock_guard<std::mutex> x(b);
  std::lock_guard<std::mutex> y(a);
#endif
}
int main() {
  std::thread t(first), u(second);
  t.join();
  u.join();
}
