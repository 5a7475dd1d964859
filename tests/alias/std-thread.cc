#include "expect.h"

#include <thread>
int g, *seen;
int main() {
  std::thread t([](int *p) { seen = p; }, &g);
  t.join();
  expect(seen, "g");
}
