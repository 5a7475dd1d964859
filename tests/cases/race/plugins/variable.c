#include <stdio.h>
extern struct {
  int version;
  void (*run)(void (*)(int));
} plugin;
int total;
static void step(int i) {
  for (int k = 0; k < 100; ++k) total += i + k;
}
int main(void) {
  plugin.run(step);
  printf("%d\n", total != 0);
  return 0;
}
