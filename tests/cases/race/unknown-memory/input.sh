# Two accesses by pointers of which nothing is known, or one of them, may be of the same memory all the same.
. "$TOP/tests/races.sh"
cat > native.c <<X
int *same(int *p) { return p; }
X
cat > app.c <<X
#include <pthread.h>
int *same(int *p);
static int shared, by_both;
static void *first(void *arg) {
  int *p = same(&shared), *q = same(&by_both);
  *p = 1;
  *q = 1;
  return arg;
}
static void *second(void *arg) {
  int *q = same(&by_both);
  shared = 2;
  *q = 2;
  return arg;
}
$END_OF_THREADS
X
gcc -c native.c -o native.o && specialize-cc -g -pthread app.c native.o -o app 2> /dev/null
specialize record -o app.sigma -- ./app 2> /dev/null
races app | grep -v same
# What lambdas capture comes through the library's hands.
cat > lambda.cc <<X
#include <thread>
int main() {
  int x = 0;
  std::thread a([&] {
    x++;
  }), b([&] {
    x--;
  });
  a.join();
  b.join();
  return x;
}
X
flags=-O0 made lambda
races lambda | grep 'x++' | grep 'x--'
# A member of the closure is destroyed in the thread that has it, while another one still uses it.
cat > closure.cc <<X
#include <pthread.h>
#include <thread>
struct Member {
  int x = 0;
  Member() = default;
  Member(Member &&) : x(1) {}
  ~Member() {
    x = -1;
  }
};
static void *other(void *p) {
  *(int *)p = 7;
  return nullptr;
}
static pthread_t u;
int main() {
  std::thread t([member = Member()]() mutable {
    pthread_create(&u, nullptr, other, &member.x);
  });
  t.join();
  pthread_join(u, nullptr);
}
X
flags=-O0 made closure
races closure | grep 'x = -1'
# It is nothing to others which are in use at the same time.
cat > apart.cc <<X
#include <mutex>
#include <thread>
static std::mutex lock;
static int sum;
static void add(int *n) {
  std::lock_guard<std::mutex> guard(lock);
  sum += *n;
}
int main() {
  int one = 1, two = 2;
  std::thread a(add, &one), b(add, &two);
  a.join();
  b.join();
}
X
made apart
races apart | grep -v sum
# What is read may have been written by such a pointer.
cat > written.c <<X
#include <pthread.h>
int *same(int *p);
static int which, a[2];
static void *first(void *arg) {
  a[which] = 1;
  return arg;
}
static void *second(void *arg) {
  a[1] = 2;
  return arg;
}
__attribute__((constructor)) static void choose(void) {
  *same(&which) = 1;
}
$END_OF_THREADS
X
specialize-cc -O1 -g -pthread written.c native.o -o written 2> /dev/null
specialize record -o written.sigma -- ./written 2> /dev/null
races written | grep 'a\['
# An object that has its vtable from the beginning, which the library calls.
cat > made.cc <<X
#include <memory_resource>
#include <pthread.h>
struct Resource : std::pmr::memory_resource {
  int asked = 0;
  void *do_allocate(std::size_t bytes, std::size_t) override {
    asked++;
    return ::operator new(bytes);
  }
  void do_deallocate(void *p, std::size_t, std::size_t) override { ::operator delete(p); }
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }
};
static Resource resource;
static void *worker(void *arg) {
  std::pmr::monotonic_buffer_resource mine(64, &resource);
  (void)mine.allocate(1000);
  return arg;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, worker, nullptr);
  pthread_create(&b, nullptr, worker, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
X
made made
races made | grep 'asked++;  write: asked++'
# Nobody writes to what is constant, nor to code.
cat > constant.c <<X
int *same(int *p);
#include <pthread.h>
static const int table[4] = {1, 2, 3, 4};
static int room[4];
static void *first(void *arg) {
  int *p = same(room);
  *p = 1;
  return arg;
}
static void *second(void *arg) {
  const int *volatile q = arg ? (const int *)(void *)first : table;
  return same(room) && *q ? arg : 0;
}
$END_OF_THREADS
X
specialize-cc -g -pthread constant.c native.o -o constant 2> /dev/null
specialize record -o constant.sigma -- ./constant 2> /dev/null
races constant | grep -v same
