#include <stdio.h>
int shared_count;
int main(void) {
  shared_count += 3;
  printf("%d\n", shared_count != 0);
  return 0;
}
