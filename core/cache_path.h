// core/cache_path -- where what was made once is kept: below the user's cache directory
// ($XDG_CACHE_HOME/specialize, ~/.cache/specialize). A user without a home has none.
#pragma once
#include <stdbool.h>

char *cache_path(const char *name);          // of a file in it; the caller's. NULL: there is none
bool cache_make_directories(char *of_file);  // that the file is in; false with errno
// Makes the cache's folder, which is told to whoever asks. False, with errno: it is another user's, or cannot
// be made; ENOENT and no folder: there is none.
bool cache_is_private(char **folder);
