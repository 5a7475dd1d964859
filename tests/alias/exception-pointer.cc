#include "expect.h"

int g;
int main() {
  try {
    throw &g;
  } catch (int *p) {
    expect(p, "g new:6:5+0%1");
  }
}
