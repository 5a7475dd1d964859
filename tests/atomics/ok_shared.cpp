// The counts of shared_ptr: who drops the last reference destroys what it refers to.
#include <cstdio>
#include <memory>
#include <thread>
struct Thing {
  int value = 3;
  ~Thing() { std::printf("gone with %d\n", value); }
};
static void use(std::shared_ptr<Thing> p, int *out) {
  *out = p->value;
}
int main() {
  int a = 0, b = 0;
  auto p = std::make_shared<Thing>();
  std::thread t(use, p, &a), u(use, p, &b);
  p.reset();
  t.join(), u.join();
  std::printf("%d %d\n", a, b);
}
