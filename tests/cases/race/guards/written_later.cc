// A race: the guard orders only the making of the object.
#include <thread>
#include <unistd.h>
struct Table { int size; Table() { size = 3; } };
static Table &table() { static Table t; return t; }
int main() {
  auto work = [](int i) { usleep(i * 20000); table().size += 1; };
  std::thread a(work, 0), b(work, 1);
  a.join(), b.join();
  return 0;
}
