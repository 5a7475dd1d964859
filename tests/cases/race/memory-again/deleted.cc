// The same with new and delete, in objects that own their block.
#include <mutex>
#include <thread>

static volatile int table[2] = {0, 1};
static std::mutex lock;
struct Block {
  char *bytes = (char *)operator new(100000);
  ~Block() { operator delete(bytes); }
};
static Block *slot[2];

static void worker() {
  lock.lock();
  Block *mine = slot[table[0]];
  lock.unlock();
  mine->bytes[5] = 3;
  delete mine;
}

int main() {
  slot[table[0]] = new Block;
  void *behind = operator new(100000);
  std::thread t(worker);
  lock.lock();
  lock.unlock();
  Block *other = new Block;
  slot[table[1]] = other;
  other->bytes[5] = 1;
  t.join();
  operator delete(behind);
  return 0;
}
