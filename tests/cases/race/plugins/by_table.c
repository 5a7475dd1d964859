#include <dlfcn.h>
#include <stdio.h>
typedef struct {
  int version;
  void (*run)(void (*)(int));
} Plugin;
int total;
static void step(int i) {
  for (int k = 0; k < 100; ++k) total += i + k;
}
int main(void) {
  void *h = dlopen("./libplugin.so", RTLD_NOW);
  Plugin *p = h ? dlsym(h, "plugin") : NULL;
  if (!p || p->version != 1) return 2;
  p->run(step);
  printf("%d\n", total != 0);
  return 0;
}
