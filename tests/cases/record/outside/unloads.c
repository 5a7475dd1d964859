#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *library = dlopen("./libwaits.so", RTLD_NOW);
  puts(library ? "loaded" : "not loaded");
  puts(dlclose(library) ? "not unloaded" : "unloaded");
  return 0;
}
