// Its own threads alone, by way of libstdc++; the library that wraps pthread_create is its own too.
#include <cstdio>
#include <future>
#include <thread>
int main() {
  int a = 0, b = 0;
  std::thread t([&] { a = 1; });
  t.join();
  b = std::async(std::launch::async, [] { return 2; }).get();
  std::printf("%d\n", a + b);
}
