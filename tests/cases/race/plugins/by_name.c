#include <dlfcn.h>
#include <stdio.h>
int total;
static void step(int i) {
  for (int k = 0; k < 100; ++k) total += i + k;
}
int main(void) {
  void *h = dlopen("./libplugin.so", RTLD_NOW);
  if (!h) return 2;
  void (*parallel)(void (*)(int)) = (void (*)(void (*)(int)))dlsym(h, "parallel");
  parallel(step);
  printf("%d\n", total != 0);
  return 0;
}
