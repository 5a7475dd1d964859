// Virtual functions of objects that belong to one thread each.
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>
static int drawn;
struct Shape {
  virtual ~Shape() = default;
  virtual int area() = 0;
};
struct Square : Shape {
  int side, calls = 0;
  explicit Square(int s) : side(s) {}
  int area() override {
    ++calls;
    return side * side;
  }
};
struct Line : Shape {
  int area() override {
#ifdef RACY
    ++drawn;  // R
#endif
    return 0;
  }
};
static int sum(const std::vector<std::unique_ptr<Shape>> &v) {
  int s = 0;
  for (auto &p : v) s += p->area();
  return s;
}
static void work(int &out, int n) {
  std::vector<std::unique_ptr<Shape>> v;
  for (int i = 0; i < n; ++i) v.push_back(std::make_unique<Square>(i));
  v.push_back(std::make_unique<Line>());
  out = sum(v);
}
int main() {
  int a = 0, b = 0;
  std::thread s(work, std::ref(a), 3), t(work, std::ref(b), 4);
  s.join();
  t.join();
  std::printf("%d %d\n", a + b, drawn);
}
