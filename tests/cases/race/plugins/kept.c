#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
struct module {
  void (*run)(void (*)(int));
} * module;
int total;
static void step(int i) {
  for (int k = 0; k < 100; ++k) total += i + k;
}
static int load(const char *name) {
  void *h = dlopen("./libplugin.so", RTLD_NOW);
  module = malloc(sizeof *module);
  if (!h || !module) return 0;
  *(void **)&module->run = dlsym(h, name);
  return module->run != NULL;
}
int main(void) {
  if (!load("parallel")) return 2;
  module->run(step);
  printf("%d\n", total != 0);
  return 0;
}
