#include "expect.h"

int g;
static int *fast(void) { return &g; }
static void *resolve(void) { return fast; }
int *chosen(void) __attribute__((ifunc("resolve")));
int main(void) { expect(chosen(), "g"); }
