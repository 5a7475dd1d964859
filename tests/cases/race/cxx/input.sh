# Threads of the C++ library.
. "$TOP/tests/races.sh"
cat > app.cc <<X
#include <mutex>
#include <thread>
static int counter, guarded;
static std::mutex lock;
static void worker(int n) {
  counter += n;
  std::lock_guard<std::mutex> hold(lock);
  guarded += n;
}
int main() {
  std::thread a(worker, 1), b(worker, 2);
  a.join();
  b.join();
  return guarded == 3 ? 0 : 1;
}
X
made app
# What the library keeps of a thread is reported too; it is not what is asked here.
races app | grep counter
specialize race --all ./app --sigma app.sigma | grep -A1 "'counter'"
