// A promise that moves into the thread, with a string as its value.
#include <cstdio>
#include <future>
#include <string>
#include <thread>
static int made;
static void produce(std::promise<std::string> p) {
#ifdef RACY
  p.set_value("text that does not fit into the object itself");
  made = 1;  // R
#else
  made = 1;
  p.set_value("text that does not fit into the object itself");
#endif
}
int main() {
  std::promise<std::string> p;
  std::future<std::string> f = p.get_future();
  std::thread t(produce, std::move(p));
  std::string s = f.get();
  std::printf("%s %d\n", s.c_str(), made);  // R
  t.join();
}
