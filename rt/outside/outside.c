// Watches code that is not recorded: shared libraries, objects without bitcode. Linked only where libraries
// can be loaded. The program exports these names, so their calls come here; ours pass through.
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>
#include "rt/record.h"

const char rt_outside = 0;  // asked for by name

typedef void (*Function)(void);
typedef struct {
  const char *name;
  _Atomic Function real;
} Real;

// The one behind us; another library may stand before that of C.
static Function real_of(Real *r) {
  Function f = atomic_load_explicit(&r->real, memory_order_acquire);
  if (f) return f;
  *(void **)&f = dlsym(RTLD_NEXT, r->name);  // POSIX wants this to work, C does not
  atomic_store_explicit(&r->real, f, memory_order_release);
  return f;
}

// Weak: a program may have its own.
#define OUTSIDE(seen, result, function, parameters, arguments)              \
  static Real real_##function = {#function, NULL};                          \
  __attribute__((weak, visibility("default"))) result function parameters { \
    rt_outside_##seen(#function, __builtin_return_address(0));              \
    return ((result(*) parameters)real_of(&real_##function))arguments;      \
  }
#include "outside.def"

// Before main: dlsym waits while another thread is in dlopen, and a library that is being loaded may wait for
// a thread of its own that comes here.
__attribute__((constructor(101))) static void find_all(void) {
#define OUTSIDE(seen, result, function, parameters, arguments) real_of(&real_##function);
#include "outside.def"
}
