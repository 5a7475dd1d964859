// The child throws through the frames that it has from its parent.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex lock;
static std::vector<int> seen;

struct Note {
  int n;
  explicit Note(int i) : n(i) { add(i); }
  ~Note() { add(-n); }
  static void add(int i) {
    std::lock_guard<std::mutex> hold(lock);
    seen.push_back(i);
  }
};

static int split(int depth) {
  Note note(depth);
  if (depth) return split(depth - 1);
  pid_t child = fork();
  if (!child) throw std::runtime_error("in the child");
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main() {
  int status = 0;
  std::thread([&] {
    try {
      status = split(3);
    } catch (const std::exception &e) {
      std::thread([] { Note::add(100); }).join();
      std::printf("%s: %zu\n", e.what(), seen.size());
      std::fflush(stdout);
      _exit(9);
    }
  }).join();
  std::printf("%d %zu\n", status, seen.size());
  return 0;
}
