// A shared_ptr that main and a thread hold; the last one deletes.
#include <cstdio>
#include <memory>
#include <thread>
struct Box {
  int value = 0;
  ~Box() { std::printf("%d\n", value); }
};
int main() {
  auto box = std::make_shared<Box>();
  box->value = 7;
  std::thread t([box] {
    int v = box->value;  // R
    std::printf("read %d\n", v);
  });
#ifdef RACY
  box->value = 8;  // R
#endif
  box.reset();
  t.join();
}
