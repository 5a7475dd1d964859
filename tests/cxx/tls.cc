// A thread-local string and counter.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
static std::mutex m;
static thread_local std::string name;
static thread_local int calls;
static size_t total;
static void call(const char *text) {
  ++calls;
  name += text;
}
static void work(int k) {
  name = k ? "first" : "second, with more letters than fit";
  call("a");
  call("b");
#ifndef RACY
  std::lock_guard<std::mutex> l(m);
#endif
  total += name.size() + (size_t)calls;  // R
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::printf("%zu\n", total);
}
