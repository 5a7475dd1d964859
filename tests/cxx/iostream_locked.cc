// Two threads print under a lock, and format with a stringstream.
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>
static std::mutex m;
static int lines;
static void work(int k) {
  std::ostringstream o;
  o << "thread " << k << " " << 1.5 * k;
#ifdef RACY
  ++lines;  // R
  std::lock_guard<std::mutex> l(m);
#else
  std::lock_guard<std::mutex> l(m);
  ++lines;
#endif
  std::cout << o.str().size() << "\n";
}
int main() {
  std::thread s(work, 0), t(work, 1);
  s.join();
  t.join();
  std::cout << lines << std::endl;
}
