// Each row of ir/library.def that writes: a thread calls its function while main writes to the same places,
// and the race is found; but for those that free, which variables cannot be. Arguments are objects that hold
// the addresses of others, which hold those of more.
#undef NDEBUG
#include "calls.h"
#include "cfspec/cfspec.h"
#include "race/race.h"

enum { ARGS = 6 };

static const char schedule[] =
    "sigma 1\nprogram app\nmodule 00000000000000000000000000000000\nschedules 1\n"
    "site 0 main#0 create\nsite 1 main#1 join\n"
    "schedule 0\norigin recorded argv \"./app\" exit 0\norder hb\nat main\nwhen by-hand true\n"
    "t0 create 0 t1\nt1 enter work\nt1 exit\nt0 join 1 t1\nt0 exit\nend 5\n";

static void line(Bytes *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  bytes_text(out, text);
  mem_free(text);
}

// o0, o1 ... are given; they hold h0, h1 ..., which hold d0, d1 ...
static Bytes program(const char *name) {
  Bytes t = {0};
  line(&t, "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n");
  line(&t, "declare ptr @\"%s\"(ptr, ptr, ptr, ptr, ptr, ptr)\n", name);
  for (int k = 0; k < ARGS; ++k) {
    line(&t, "@d%d = internal global [4 x ptr] zeroinitializer\n", k);
    line(&t, "@h%d = internal global [4 x ptr] [ptr @d%d, ptr @d%d, ptr @d%d, ptr @d%d]\n", k, k, k, k, k);
    line(&t, "@o%d = internal global [4 x ptr] [ptr @h%d, ptr @h%d, ptr @h%d, ptr @h%d]\n", k, k, k, k, k);
  }
  line(&t,
       "define internal ptr @work(ptr %%x) {\n  %%r = call ptr @\"%s\"(ptr @o0, ptr @o1, ptr @o2, ptr @o3, "
       "ptr @o4, ptr @o5)\n  ret ptr null\n}\n",
       name);
  line(&t,
       "define i32 @main() {\n  %%id = alloca i64\n"
       "  %%c = call i32 @pthread_create(ptr %%id, ptr null, ptr @work, ptr null)\n");
  for (int k = 0; k < ARGS; ++k)
    line(&t, "  store i8 1, ptr @d%d\n  store i8 1, ptr @h%d\n  store i8 1, ptr @o%d\n", k, k, k);
  line(&t, "  %%t = load i64, ptr %%id\n  %%j = call i32 @pthread_join(i64 %%t, ptr null)\n  ret i32 0\n}\n");
  vec_push(&t, 0);
  return t;
}

static Report *check(const char *name) {
  Bytes text = program(name);
  Calls c = calls_of((const char *)text.at);
  Diags *d = diags_new();
  Sigma *s = sigma_parse(span_of(schedule, strlen(schedule)), "app.sigma", d);
  uint32_t one = 0;
  CfspecFigures made;
  RaceFigures figures = {0};
  Report *r = report_new();
  CfspecInput in = {.module = c.module, .sites = c.sites, .graph = c.graph, .sync = c.may, .sigma = s};
  AliasOptions how = {.summaries = cfspec_view_summaries};
  RaceOptions o = {.sigma = s, .alias = &how};
  in.schedules = &one, in.count = 1, in.budget = 100000, in.soften = in.tails = true;
  origins_mark(c.module);
  bool ok = s && cfspec_specialize(&in, &made, d) && cfspec_view(c.module, 0, false, d) &&
            race_check(c.module, &o, r, &figures, d);
  if (!ok) diags_print(d, stderr, name);
  assert(ok);
  calls_free(&c);
  sigma_free(s);
  diags_free(d);
  vec_free(&text);
  return r;
}

static bool is_reported(const Report *r, const char *object) {
  for (vec_each(i, &r->findings)) {
    const char *name = r->findings.at[i].object.name;
    if (name && !strcmp(name, object)) return true;
  }
  return false;
}

// The object that a place leads to, of those above; NULL: none of them.
static char *object_at(SummaryValue v) {
  if (v.operand >= ARGS) return NULL;
  switch (v.kind) {
    case VALUE_ITSELF:
    case VALUE_INSIDE:
      return mem_format("o%u", v.operand);
    case VALUE_LOADED:
    case VALUE_HELD:
    case VALUE_BEHIND:
      return mem_format("h%u", v.operand);
    case VALUE_HELD_TWICE:
      return mem_format("d%u", v.operand);
    default:
      return NULL;
  }
}

static bool writes(const Do *d) {
  return d->kind == DO_WRITE || d->kind == DO_USE || d->kind == DO_STORE || d->kind == DO_COPY ||
         d->kind == DO_MIX;
}

static size_t check_row(const char *name, const Summary *what) {
  size_t missed = 0;
  Report *r = NULL;
  for (size_t i = 0; i < what->len; ++i) {
    char *object = writes(&what->at[i]) ? object_at(what->at[i].place) : NULL;
    if (object && !r) r = check(name);
    if (object && !is_reported(r, object))
      fprintf(stderr, "%s: writes %s, not reported\n", name, object), missed++;
    mem_free(object);
  }
  report_free(r);
  return missed;
}

// One function of each row: the first that is not an operation, and that nothing else is known of.
int main(void) {
  Summaries *rows = summaries_new();
  const char *name, *last = NULL;
  size_t missed = 0, checked = 0;
  for (size_t i = 0; (name = library_name(i)); ++i) {
    const Library *row = library_find(name, false);
    Summary what;
    bool special = sync_find(name) || library_replaced(name) || name[strlen(name) - 1] == '*' || row->ends;
    if (!row->memory || row->memory == last || special || !summaries_find(rows, name, &what)) continue;
    last = row->memory;
    missed += check_row(name, &what);
    checked++;
  }
  summaries_free(rows);
  printf("%zu rows, %zu missed\n", checked, missed);
  assert(checked > 200 && !missed);
  return 0;
}
