#include "expect.h"

int g, h, through, clobbered, pointed, named, kept;
int *cell = &kept;
int main(void) {
  int *p = &g;
  __asm__ volatile("" : "+r"(p));
  expect(p, "g g+0%1");
  expect_private(&g);
  int *q = &h;
  __asm__ volatile("" : "+r"(q)::"memory");  // only order
  expect(q, "h h+0%1");
  int *r = &clobbered;
  __asm__ volatile("xchg %0, %%rax" : "+r"(r)::"rax", "memory");
  expect(r, "?");
  expect_escaped(&clobbered);
  int *s;
  __asm__("movq (%1), %0" : "=r"(s) : "r"(&cell));
  expect(s, "cell+0%1 kept");
  int *t;
  __asm__("movq %1, %0" : "=r"(t) : "m"(cell));
  expect(t, "cell+0%1 kept");
  int *u = &through, *v;
  __asm__("movq %1, %0" : "=r"(v) : "r"(u));
  expect(v, "through+0%1");
  int *w;
  __asm__("leaq named(%%rip), %0" : "=r"(w));
  expect(w, "?");
  int *x;
  __asm__("movq %%fs:0, %0" : "=r"(x));
  expect(x, "?");
  unsigned a = 0, d;
  __asm__ volatile("cpuid" : "+a"(a), "=d"(d)::"rbx", "rcx");
  __asm__ volatile("pause" ::: "memory");
  __asm__ volatile(".p2align 6");
  expect_private(&pointed);
  return (int)d;
}
