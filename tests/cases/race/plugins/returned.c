#include <stdio.h>
void (*get(int))(void (*)(int));
int total;
static void step(int i) {
  for (int k = 0; k < 100; ++k) total += i + k;
}
int main(void) {
  get(1)(step);
  printf("%d\n", total != 0);
  return 0;
}
