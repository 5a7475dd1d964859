// An exception that a thread passes on to main.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
static std::exception_ptr error;
static int tries;
static void work(int n) {
  try {
    tries++;  // R
    if (n > 3) throw std::runtime_error("too many: " + std::to_string(n));
  } catch (...) {
    error = std::current_exception();  // R
  }
}
int main() {
  std::thread t(work, 5);
#ifdef RACY
  tries++;  // R
#endif
  t.join();
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception &e) {
    std::printf("%s\n", e.what());
  }
}
