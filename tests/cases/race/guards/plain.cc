// No race: the table is made once, by whoever comes first.
#include <mutex>
#include <thread>
#include <unistd.h>
struct Table { int size; Table() { size = 3; } };
static Table &table() { static Table t; return t; }
static int sum[2];
int main() {
  auto work = [](int i) { usleep(i * 20000); for (int k = 0; k < 2; ++k) sum[i] += table().size; };
  std::thread a(work, 0), b(work, 1);
  a.join(), b.join();
  return sum[0] + sum[1] == 12 ? 0 : 1;
}
