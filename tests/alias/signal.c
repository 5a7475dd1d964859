#include "expect.h"

#include <signal.h>
static void on_int(int n) {}
static void on_term(int n) {}
int main(void) {
  void (*old)(int) = signal(SIGINT, on_int);
  expect(old, "on_int on_term");
  struct sigaction a = {.sa_handler = on_term}, b;
  sigaction(SIGTERM, &a, &b);
  expect(b.sa_handler, "on_int on_term");
}
