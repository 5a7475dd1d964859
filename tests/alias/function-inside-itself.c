#include "expect.h"

int g;
static int *loop(int n, int *p) { return n ? loop(n - 1, p + 1) : p; }
int a[8];
int main(void) { expect(loop(3, a), "a a+0%4"); }
