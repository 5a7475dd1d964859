// A class with its mutex; a method with, and one without.
#include <cstdio>
#include <mutex>
#include <thread>
class Account {
  mutable std::mutex m;
  long balance = 0;

public:
  void add(long n) {
    std::lock_guard<std::mutex> l(m);
    balance += n;  // R
  }
  long get() const {
    std::lock_guard<std::mutex> l(m);
    return balance;
  }
  long peek() const {
    return balance;  // R
  }
};
int main() {
  Account a;
  std::thread t([&] { a.add(5); });
  a.add(3);
#ifdef RACY
  long n = a.peek();
#else
  long n = a.get();
#endif
  t.join();
  std::printf("%d %ld\n", n > 2, a.get());
}
