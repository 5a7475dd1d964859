#include <stdio.h>
int worker(int);
int main(void) {
  printf("%d steps\n", worker(2));
  return 0;
}
