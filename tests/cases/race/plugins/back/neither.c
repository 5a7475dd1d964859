#include <stdio.h>
static int shared_count;
static void take_step(int i) {
  shared_count += i;
}
int main(void) {
  take_step(3);
  printf("%d\n", shared_count != 0);
  return 0;
}
