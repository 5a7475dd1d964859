// A point inside a try block, behind it objects that are to be destroyed, and an exception that comes back.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
static std::mutex m;
struct Named {
  std::string name;
  explicit Named(const char *n) : name(n) {}
  ~Named() { std::printf("end of %s\n", name.c_str()); }
};
static void check(int n) {
  std::lock_guard<std::mutex> hold(m);
  if (n > 5) throw std::runtime_error("too many");
}
int main(int argc, char **argv) {
  Named outer("outer");
  int n = 0;
  try {
    Named inner("inner");
    if (argc < 2) throw std::runtime_error("too few");
    n = std::atoi(argv[1]);
    std::string text(static_cast<size_t>(n), 'x');
    int twice = 2 * n;
    std::thread t([&] { check(0), text += "y"; });
    t.join();
    check(twice);
    std::printf("%s\n", text.c_str());
  } catch (const std::exception &e) {
    std::printf("caught %s\n", e.what());
  }
  return n;
}
