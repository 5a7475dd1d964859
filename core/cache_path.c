#include "cache_path.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "mem.h"

char *cache_path(const char *name) {
  assert(*name && *name != '/');
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xdg && *xdg == '/') return mem_format("%s/specialize/%s", xdg, name);
  return mem_format("%s/.cache/specialize/%s", home && *home ? home : "/tmp", name);
}

bool cache_make_directories(char *path) {
  assert(*path);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool bad = mkdir(path, 0777) && errno != EEXIST;
    *slash = '/';
    if (bad) return false;
  }
  return true;
}
