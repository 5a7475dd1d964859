#include "expect.h"

int g, h;
struct E { const char *name; int *p; };
#define FOUR(x) {"", x}, {"", x}, {"", x}, {"", x}
#define SIXTEEN(x) FOUR(x), FOUR(x), FOUR(x), FOUR(x)
struct E table[] = {SIXTEEN(&g), SIXTEEN(&g), SIXTEEN(&h)};
int main(void) { expect(table[40].p, "g h"); }
