// rt/private_env -- variables that our own commands set for the program that they start. Neither the program
// nor its children may see them. The names begin with SPECIALIZE_RECORD_ or are SPECIALIZE_REPLAY.
#pragma once
#include <stdlib.h>

// The value, which stays where it is; the variable is gone. NULL: not set, or the program runs set-user-ID.
// Call it before the program has code that reads or keeps its environment.
static inline const char *private_env_take(const char *name) {
  const char *value = secure_getenv(name);
  unsetenv(name);  // moves pointers within the array that main is given; frees nothing
  return value;
}
