#include <thread>
static int count;
struct Starter {
  std::thread t{[] { ++count; }};
  ~Starter() { t.join(); }
};
static Starter starter;
int main() {
  ++count;
  return 0;
}
