// Whether memory that was given back is given out again.
#include <cstdio>
#include <thread>

static int shared;

int main() {
  std::thread t([] { shared = 1; });
  shared = 2;
  t.join();
  char *a = (char *)operator new(100000), *behind = (char *)operator new(100000);
  operator delete(a);
  char *b = (char *)operator new(100000);
  FILE *f = std::fopen("where", "w");
  if (f) std::fputs(a == b ? "the same\n" : "elsewhere\n", f), std::fclose(f);
  operator delete(b);
  operator delete(behind);
  return 0;
}
