#include <stdio.h>
int total;
void take_step(int i) {
  for (int k = 0; k < 100; ++k) total += i + k;
}
int main(void) {
  take_step(3);
  printf("%d\n", total != 0);
  return 0;
}
