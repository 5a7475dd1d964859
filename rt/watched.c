#include "watched.h"
#include <stddef.h>

const char *const rt_watched[] = {
#define OUTSIDE(seen, result, function, parameters, arguments) #function,
#include "rt/outside/outside.def"
    NULL};
