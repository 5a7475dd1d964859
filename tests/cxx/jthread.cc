// jthread with a stop token.
// std: c++20
#include <cstdio>
#include <stop_token>
#include <thread>
static int rounds;
int main() {
  {
    std::jthread t([](std::stop_token s) {
      do rounds = 1;  // R
      while (!s.stop_requested());
    });
#ifdef RACY
    std::printf("%d\n", rounds);  // R
#endif
    t.request_stop();
  }
  std::printf("%d\n", rounds);
}
