#include "cache_path.h"
#include <assert.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "mem.h"

// Without HOME the one that the user has by right. NULL without that: a folder that others share is none.
static char *folder(void) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xdg && *xdg == '/') return mem_format("%s/specialize", xdg);
  struct passwd *user = home && *home == '/' ? NULL : getpwuid(geteuid());
  if (user) home = user->pw_dir;
  return home && *home == '/' && home[1] ? mem_format("%s/.cache/specialize", home) : NULL;
}

char *cache_path(const char *name) {
  assert(*name && *name != '/');
  char *dir = folder(), *path = dir ? mem_format("%s/%s", dir, name) : NULL;
  mem_free(dir);
  return path;
}

// What is in there is run and linked: nobody else may be able to put anything there.
bool cache_is_private(char **path) {
  char *dir = folder();
  if (path) *path = dir;
  if (!dir) return errno = ENOENT, false;
  char *inside = mem_format("%s/x", dir);
  struct stat st;
  bool made = cache_make_directories(inside) && !lstat(dir, &st);
  bool ours = made && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
  if (ours && st.st_mode & 077) ours = !chmod(dir, 0700);
  if (made && !ours) errno = EPERM;
  mem_free(inside);
  if (!path) mem_free(dir);
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
