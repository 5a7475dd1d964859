#include "outside.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"

static const OutsideCall calls[] = {
#define CALLS(name, arg, type, when) {name, arg, type, OUTSIDE_##when},
#include "outside.def"
};

static const struct {
  const char *name;
  OutsideWhen when;
} runs[] = {
#define RUNS(name, when) {name, OUTSIDE_##when},
#include "outside.def"
};

static const char *const quiet[] = {
#include "quiet.def"
};

// Namespaces std and __gnu_cxx as libstdc++ mangles them (libc++ says St3__1), operators new and delete, and
// the run-time of exceptions and casts.
static const char *const prefixes[] = {"_ZNSt",
                                       "_ZNKSt",
                                       "_ZNVSt",
                                       "_ZSt",
                                       "_ZNSa",
                                       "_ZNSs",
                                       "_ZNSi",
                                       "_ZNSo",
                                       "_ZNSd",
                                       "_ZNSb",
                                       "_ZNKSa",
                                       "_ZNKSs",
                                       "_ZNKSi",
                                       "_ZNKSo",
                                       "_ZNKSd",
                                       "_ZNKSb",
                                       "_ZN9__gnu_cxx",
                                       "_ZNK9__gnu_cxx",
                                       "_ZN10__cxxabiv1",
                                       "_ZN11__gnu_debug",
                                       "_Znw",
                                       "_Zna",
                                       "_Zdl",
                                       "_Zda",
                                       "__cxa_",
                                       "__gxx_personality_",
                                       "__dynamic_cast",
                                       "_Unwind_"};

static const char *const replaced[] = {
    "malloc",        "calloc",         "realloc", "free",    "memalign",
    "aligned_alloc", "posix_memalign", "valloc",  "pvalloc", "malloc_usable_size"};

// Rows are sorted by name, which is the first member of each.
static int by_name(const void *name, const void *row) {
  return strcmp(name, *(const char *const *)row);
}
#define COUNT(table) (sizeof(table) / sizeof *(table))
#define FIND(name, table) bsearch(name, table, COUNT(table), sizeof *(table), by_name)

static bool starts_with(const char *name, const char *prefix) {
  return !strncmp(name, prefix, strlen(prefix));
}

static bool of_libstdcxx(const char *name) {
  if (starts_with(name, "_ZNSt3__1") || starts_with(name, "_ZNKSt3__1")) return false;
  for (size_t i = 0; i < COUNT(prefixes); ++i)
    if (starts_with(name, prefixes[i])) return true;
  return false;
}

OutsideTrust outside_trust(const char *name) {
  if (sync_find(name) || FIND(name, calls) || FIND(name, runs) || FIND(name, quiet)) return OUTSIDE_TABLED;
  if (starts_with(name, "llvm.")) return OUTSIDE_TABLED;
  return of_libstdcxx(name) ? OUTSIDE_LIBSTDCXX : OUTSIDE_UNKNOWN;
}

size_t outside_calls(const char *name, const OutsideCall **first) {
  const OutsideCall *at = FIND(name, calls), *end = at;
  if (!at) return 0;
  while (at > calls && !strcmp(at[-1].name, name)) --at;
  while (end < calls + COUNT(calls) && !strcmp(end->name, name)) ++end;
  *first = at;
  return (size_t)(end - at);
}

bool outside_runs(const char *name, OutsideWhen when) {
  assert(when < OUTSIDE_OCCASIONS);
  for (size_t i = 0; i < COUNT(runs); ++i)
    if (runs[i].when == when && !strcmp(runs[i].name, name)) return true;
  return false;
}

bool outside_replaced(const char *name) {
  for (size_t i = 0; i < COUNT(replaced); ++i)
    if (!strcmp(replaced[i], name)) return true;
  return starts_with(name, "_Znw") || starts_with(name, "_Zna") || starts_with(name, "_Zdl") ||
         starts_with(name, "_Zda");
}

const char *outside_name(OutsideTable table, size_t i) {
  switch (table) {
    case OUTSIDE_QUIET_NAMES:
      return i < COUNT(quiet) ? quiet[i] : NULL;
    case OUTSIDE_CALLS_NAMES:
      return i < COUNT(calls) ? calls[i].name : NULL;
    case OUTSIDE_RUNS_NAMES:
      return i < COUNT(runs) ? runs[i].name : NULL;
  }
  return NULL;
}

// No name is in two tables: the first one would hide what the other says.
static void check_calls(const OutsideCall *rows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    assert(!i || strcmp(rows[i - 1].name, rows[i].name) <= 0);
    assert(rows[i].when < OUTSIDE_OCCASIONS);
    assert(*rows[i].type == '*' || strchr(rows[i].type, '('));
    assert(!FIND(rows[i].name, quiet));
  }
}

static void check_quiet(const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    assert(!i || strcmp(names[i - 1], names[i]) < 0);
    assert(!sync_find(names[i]));
  }
}

void outside_check(void) {
  check_calls(calls, COUNT(calls));
  check_quiet(quiet, COUNT(quiet));
  for (size_t i = 0; i < COUNT(runs); ++i) {
    assert(!i || strcmp(runs[i - 1].name, runs[i].name) <= 0);
    assert(!FIND(runs[i].name, quiet));
  }
}
