#include "cache_path.h"
#include <assert.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "mem.h"

// Without HOME the one that the user has by right; without that one of a name that nobody else has.
static char *folder(void) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xdg && *xdg == '/') return mem_format("%s/specialize", xdg);
  struct passwd *user = home && *home ? NULL : getpwuid(geteuid());
  if (user && user->pw_dir && *user->pw_dir == '/' && user->pw_dir[1]) home = user->pw_dir;
  if (home && *home) return mem_format("%s/.cache/specialize", home);
  return mem_format("/tmp/specialize-cache-%ld", (long)geteuid());
}

char *cache_path(const char *name) {
  assert(*name && *name != '/');
  char *dir = folder(), *path = mem_format("%s/%s", dir, name);
  mem_free(dir);
  return path;
}

// What is in there is run and linked: nobody else may be able to put anything there.
bool cache_is_private(char **path) {
  char *dir = folder(), *inside = mem_format("%s/x", dir);
  struct stat st;
  bool made = cache_make_directories(inside) && !lstat(dir, &st);
  bool ours = made && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
  if (ours && st.st_mode & 077) ours = !chmod(dir, 0700);
  if (made && !ours) errno = EPERM;
  mem_free(inside);
  if (path)
    *path = dir;
  else
    mem_free(dir);
  return ours;
}

bool cache_make_directories(char *path) {
  assert(*path);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool bad = mkdir(path, 0700) && errno != EEXIST;
    *slash = '/';
    if (bad) return false;
  }
  return true;
}
