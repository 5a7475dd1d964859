/*
 * args: 4
 */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

struct Base { virtual ~Base() {} virtual int id() const { return 1; } int base = 10; };
struct Other { virtual ~Other() {} int other = 20; };
struct Derived : Base { int id() const override { return 2; } int derived = 30; };
struct Both : Base, Other { int id() const override { return 3; } };
struct Virtual : virtual Base { int v = 4; };
struct Trace {
  const char *name;
  explicit Trace(const char *n) : name(n) { std::printf("+%s ", name); }
  ~Trace() { std::printf("-%s ", name); }
};
static void thrower(int kind) {
  Trace t("thrower");
  switch (kind) {
    case 0: throw 42;
    case 1: throw Derived();
    case 2: throw Both();
    case 3: throw std::runtime_error("run");
    case 4: throw std::string("text");
    case 5: throw "literal";
    case 6: throw std::out_of_range("range");
    case 7: throw 2.5;
    case 8: throw std::bad_alloc();
    case 9: { std::string s("abc"); s.at(10); }
  }
}
static void middle(int kind) {
  Trace t("middle");
  try {
    thrower(kind);
  } catch (const double &d) {
    std::printf("double %g ", d);
    throw;
  }
}
static int attempt(int kind) {
  try {
    middle(kind);
    return 0;
  } catch (int i) {
    std::printf("int %d ", i);
    return 1;
  } catch (const Other &o) {
    std::printf("other %d ", o.other);
    return 2;
  } catch (const Base &b) {
    std::printf("base %d %d ", b.id(), b.base);
    return 3;
  } catch (const std::out_of_range &e) {
    std::printf("range %s ", e.what());
    return 4;
  } catch (const std::exception &e) {
    std::printf("std %s ", e.what());
    return 5;
  } catch (const char *s) {
    std::printf("chars %s ", s);
    return 6;
  } catch (...) {
    std::printf("any ");
    return 7;
  }
}
static int nested() {
  try {
    try {
      throw 1;
    } catch (int) {
      try {
        throw 2;
      } catch (int i) {
        std::printf("inner %d ", i);
      }
      throw;
    }
  } catch (int i) {
    return i;
  }
}
struct Guard { int &n; ~Guard() { ++n; } };
static int loop(int n) {
  int left = 0, caught = 0;
  for (int i = 0; i < n; ++i) {
    try {
      Guard g{left};
      if (i % 2) throw i;
    } catch (int x) {
      caught += x;
    }
  }
  return left * 100 + caught;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int k = 0; k < 10; ++k) std::printf("= %d\n", attempt(k));
  std::printf("%d %d %d\n", nested(), loop(n), std::uncaught_exceptions());
  Base *b = new Both;
  std::printf("%d\n", b->id());
  delete b;
  return 0;
}
