// The tables of functions outside, against the libraries of this machine.
#undef NDEBUG
#include "exports.h"

static bool starts_with(const char *name, const char *prefix) {
  return !strncmp(name, prefix, strlen(prefix));
}

static void check(OutsideTable table, const Intern *libraries) {
  const char *name, *before = "";
  for (size_t i = 0; (name = outside_name(table, i)); before = name, ++i) {
    // Some are linked in statically, and three libraries are not looked at.
    bool extra = !strcmp(name, "atexit") || !strcmp(name, "at_quick_exit") ||
                 !strcmp(name, "pthread_atfork") || starts_with(name, "_Unwind_") ||
                 starts_with(name, "event_") || starts_with(name, "BZ2_");
    if (!exports_have(libraries, name) && !extra) fprintf(stderr, "not in the libraries: %s\n", name);
    assert(exports_have(libraries, name) || extra);
    assert(strcmp(before, name) < (table != OUTSIDE_QUIET_NAMES));
  }
}

static void test_tables(void) {
  Intern *all = exports_new("libc.so.6", "pthread_create"),
         *c = exports_new("libstdc++.so.6", "_ZNSt6thread4joinEv");
  Intern *m = exports_new("libm.so.6", "sin");
  for (uint32_t i = 0; i < intern_count(c); ++i) intern_id(all, intern_text(c, i), strlen(intern_text(c, i)));
  for (uint32_t i = 0; i < intern_count(m); ++i) intern_id(all, intern_text(m, i), strlen(intern_text(m, i)));
  check(OUTSIDE_QUIET_NAMES, all);
  check(OUTSIDE_CALLS_NAMES, all);
  check(OUTSIDE_RUNS_NAMES, all);
  intern_free(all);
  intern_free(c);
  intern_free(m);
}

// A name is in one table, and the rows of operations that run something agree with those of core/sync.
static void test_agreement(void) {
  const OutsideCall *rows;
  const char *name;
  for (size_t i = 0; (name = outside_name(OUTSIDE_QUIET_NAMES, i)); ++i) {
    assert(!sync_find(name) && !outside_calls(name, &rows));
    for (unsigned when = 0; when < OUTSIDE_OCCASIONS; ++when) assert(!outside_runs(name, when));
  }
  for (size_t i = 0; i < sync_count(); ++i) {
    const Sync *s = sync_at(i);
    if (s->start.place == SYNC_ABSENT) continue;
    assert(outside_calls(s->name, &rows) == 1);
    assert(rows->when == (s->kind == SYNC_CREATE ? OUTSIDE_THREAD : OUTSIDE_NOW));
    assert(rows->arg == (s->start.place == SYNC_VALUE ? s->start.arg : OUTSIDE_MEMORY));
  }
}

static void test_lookup(void) {
  const OutsideCall *rows;
  assert(outside_calls("scandir", &rows) == 2 && rows[0].arg == 2 && rows[1].arg == 3);
  assert(outside_calls("pthread_atfork", &rows) == 3 && !outside_calls("qsor", &rows) &&
         !outside_calls("", &rows));
  assert(outside_runs("exit", OUTSIDE_AT_EXIT) && outside_runs("exit", OUTSIDE_AT_THREAD_EXIT));
  assert(!outside_runs("_exit", OUTSIDE_AT_EXIT) && outside_trust("_exit") == OUTSIDE_TABLED);
  assert(outside_trust("inflate") == OUTSIDE_UNKNOWN && outside_trust("memcpy") == OUTSIDE_TABLED);
  assert(outside_trust("_ZNSolsEi") == OUTSIDE_LIBSTDCXX &&
         outside_trust("_ZNSt3__15mutex4lockEv") == OUTSIDE_UNKNOWN);
  assert(outside_trust("llvm.memcpy.p0.p0.i64") == OUTSIDE_TABLED &&
         outside_trust("sem_post") == OUTSIDE_TABLED);
  assert(outside_replaced("malloc") && outside_replaced("_Znwm") && !outside_replaced("mallocs"));
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
