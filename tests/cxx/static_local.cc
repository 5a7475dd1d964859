// A local static that both threads come to.
#include <cstdio>
#include <string>
#include <thread>
static int made;
struct Config {
  std::string name;
  int size;
  Config() : name("a name that is longer than sixteen letters"), size(3) { made = 1; }  // R
};
static const Config &config() {
  static Config c;
  return c;
}
static int out[2];
static void work(int k) {
  out[k] = config().size + (int)config().name.size();
}
int main() {
  std::thread s(work, 0), t(work, 1);
#ifdef RACY
  std::printf("%d\n", made);  // R
#endif
  s.join();
  t.join();
  std::printf("%d\n", out[0] + out[1] + made);
}
