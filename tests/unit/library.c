// The table of functions outside, against the libraries of this machine.
#undef NDEBUG
#include "exports.h"

static bool starts_with(const char *name, const char *prefix) {
  return !strncmp(name, prefix, strlen(prefix));
}

// In no library that is looked at: the compiler makes it, it is linked in statically or inline in a header,
// or it belongs to a library that may not be here.
static bool is_elsewhere(const char *name) {
  static const char *const names[] = {"atexit",
                                      "at_quick_exit",
                                      "pthread_atfork",
                                      "__clang_call_terminate",
                                      "sigsetjmp",
                                      "__gthread_active_p",
                                      "crypt",
                                      "llseek",
                                      "cfree",
                                      "strlcpy",
                                      "strlcat",
                                      "_ZNSt9exceptionC2Ev",
                                      "_ZNSt9exceptionC2ERKS_",
                                      "_ZNSt9exceptionaSERKS_"};
  static const char *const prefixes[] = {"_Unwind_", "event_", "BZ2_", "llvm.", "__isoc23_"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (starts_with(name, prefixes[i])) return true;
  return !strcmp(name, LIBSTDCXX_LOCAL) || !strncmp(name, "specialize_atomic_", 18);
}

// Some function has such a name. Of the old string, of locales and the like not all libraries have one.
static bool matches_something(const Intern *libraries, const char *pattern) {
  for (uint32_t i = 0; i < intern_count(libraries); ++i)
    if (library_matches(pattern, intern_text(libraries, i))) return true;
  return !starts_with(pattern, "_Z");
}

static void check(const Intern *libraries) {
  const char *name;
  size_t missing = 0;
  for (size_t i = 0; (name = library_name(i)); ++i) {
    bool pattern = name[strlen(name) - 1] == '*';
    if (exports_have(libraries, name) || is_elsewhere(name)) continue;
    if (pattern && matches_something(libraries, name)) continue;
    fprintf(stderr, "not in the libraries: %s\n", name);
    missing++;
  }
  assert(!missing);
}

static void test_tables(void) {
  Intern *all = exports_new("libc.so.6", "pthread_create"),
         *c = exports_new("libstdc++.so.6", "_ZNSt6thread4joinEv");
  Intern *m = exports_new("libm.so.6", "sin");
  for (uint32_t i = 0; i < intern_count(c); ++i) intern_id(all, intern_text(c, i), strlen(intern_text(c, i)));
  for (uint32_t i = 0; i < intern_count(m); ++i) intern_id(all, intern_text(m, i), strlen(intern_text(m, i)));
  check(all);
  intern_free(all);
  intern_free(c);
  intern_free(m);
}

// The rows of operations that run something agree with those of core/sync.
static void test_agreement(void) {
  const LibraryCall *rows;
  for (size_t i = 0; i < sync_count(); ++i) {
    const Sync *s = sync_at(i);
    if (s->start.place == SYNC_ABSENT) continue;
    assert(library_calls(s->name, &rows) == 1);
    assert(rows->when == (s->kind == SYNC_CREATE ? LIBRARY_THREAD : LIBRARY_NOW));
    assert(rows->arg == (s->start.place == SYNC_VALUE ? s->start.arg : LIBRARY_MEMORY));
  }
}

static void test_lookup(void) {
  const LibraryCall *rows;
  assert(library_calls("scandir", &rows) == 2 && rows[0].arg == 2 && rows[1].arg == 3);
  assert(library_calls("pthread_atfork", &rows) == 3 && !library_calls("qsor", &rows) &&
         !library_calls("", &rows));
  assert(library_runs("exit", LIBRARY_AT_EXIT) && library_runs("exit", LIBRARY_AT_THREAD_EXIT));
  assert(!library_runs("_exit", LIBRARY_AT_EXIT) && library_trust("_exit") == LIBRARY_TABLED);
  assert(library_trust("inflate") == LIBRARY_UNKNOWN && library_trust("memcpy") == LIBRARY_TABLED);
  assert(library_trust("_ZNSolsEi") == LIBRARY_LIBSTDCXX &&
         library_trust("_ZNSt3__15mutex4lockEv") == LIBRARY_UNKNOWN);
  assert(library_trust("llvm.memcpy.p0.p0.i64") == LIBRARY_TABLED &&
         library_trust("sem_post") == LIBRARY_TABLED);
  const Library *row = library_find("fread", false);
  assert(row && row->input == LIBRARY_IN_STREAM && row->number == 3 && row->waits && !row->ends);
  assert(!library_find("nothing_of_this_name", true) && library_find("exit", false)->ends);
  assert(library_find("_ZNSolsEi", true)->waits && !library_find("_ZNSolsEi", false));
  assert(library_find("openlog", false) && library_waits("select") && !library_waits("memcpy"));
  assert(library_replaced("malloc") && library_replaced("_Znwm") && !library_replaced("mallocs"));
}

static void fit(const char *call, const char *function, bool fits) {
  assert(signature_fits(call, function) == fits);
}

static void test_signatures(void) {
  fit("?(ii)", "i(ii)", true);
  fit("?(ii)", "d(i)", true);
  fit("i(ii)", "v(ii)", false);
  fit("v(ii)", "i(ii)", true);
  fit("?(i)", "v(ii)", false);
  fit("?(id)", "v(i.)", true);
  fit("?(id)", "v(.)", true);
  fit("?(id)", "v(di)", false);
  fit("{i128}({<4 x float>}i)", "{i128}({<4 x float>})", true);
  fit("{i128}({<4 x float>}i)", "{i128}({<8 x float>})", false);
  fit("?()", "v()", true);
}

int main(void) {
  test_tables();
  test_agreement();
  test_lookup();
  test_signatures();
  return 0;
}
