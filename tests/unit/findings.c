// Findings: what is written reads back the same, no format lets a name act, and what judges them judges as it
// says.
#undef NDEBUG
#include <assert.h>
#include "sim_findings.h"

static Bytes written(const Report *r, void (*format)(const Report *, Bytes *, const FindingOptions *),
                     const FindingOptions *o) {
  Bytes b = {0};
  format(r, &b, o);
  assert(b.len);
  return b;
}

static bool same(const Bytes *a, const Bytes *b) {
  return a->len == b->len && !memcmp(a->at, b->at, a->len);
}

// Whole characters only, no control characters but line ends.
static void assert_plain(const Bytes *b, bool colour) {
  for (size_t i = 0, n; i < b->len; i += n) {
    n = utf8_length(span_of(b->at + i, b->len - i));
    assert(n && (b->at[i] >= ' ' || b->at[i] == '\n' || (colour && b->at[i] == 0x1b)) && b->at[i] != 0x7f);
  }
}

static Report *parsed(const Bytes *b) {
  Diags *diags = diags_new();
  Report *r = finding_parse("report.json", span_of(b->at, b->len), diags);
  assert(r && !diags_count(diags));
  diags_free(diags);
  return r;
}

static void test_formats(uint64_t seed, bool odd) {
  Report *r = sim_findings(seed, seed % 23, odd);
  report_settle(r);
  Bytes text = written(r, finding_text, NULL),
        coloured = written(r, finding_text, &(FindingOptions){.colour = true});
  Bytes sarif = written(r, finding_sarif, NULL), page = written(r, finding_html, NULL),
        github = written(r, finding_github, NULL);
  assert_plain(&text, false), assert_plain(&coloured, true), assert_plain(&sarif, false),
      assert_plain(&page, false), assert_plain(&github, false);
  for (size_t i = 0; i < github.len; ++i)
    if (!i || github.at[i - 1] == '\n')
      assert(github.len - i > 2 && github.at[i] == ':' && github.at[i + 1] == ':');
  vec_free(&text), vec_free(&coloured), vec_free(&sarif), vec_free(&page), vec_free(&github);

  Bytes first = written(r, finding_json, NULL);
  assert_plain(&first, false);
  Report *again = parsed(&first);
  Bytes second = written(again, finding_json, NULL);
  Report *last = parsed(&second);
  Bytes third = written(last, finding_json, NULL);
  assert((odd || same(&first, &second)) && same(&second, &third));
  assert(again->findings.len == r->findings.len &&
         finding_exit(again, FAIL_POSSIBLE) == finding_exit(r, FAIL_POSSIBLE));
  baseline_mark(r, again);  // names are compared as JSON keeps them
  for (vec_each(i, &r->findings)) assert(r->findings.at[i].known == finding_open(&r->findings.at[i]));
  vec_free(&first), vec_free(&second), vec_free(&third);
  report_free(r), report_free(again), report_free(last);
}

// A race of main's helper, called from two places.
static Finding *race(Report *r, uint32_t line, const char *function) {
  Finding *f = report_add(r);
  FindingFrame inner = {.function = report_intern(r, function),
                        .file = report_intern(r, "src/lib/a.c"),
                        .line = line,
                        .column = 3};
  FindingFrame middle = {.function = report_intern(r, "qsort"),
                         .library = report_intern(r, "/lib/libc.so.6")};
  FindingFrame outer = {.function = report_intern(r, "N::outer(int)"),
                        .file = report_intern(r, "src/main.cc"),
                        .line = 7,
                        .column = 1};
  FindingFrame other = {.function = report_intern(r, "other"), .file = report_intern(r, "b*.c"), .line = 9};
  f->a.at = inner, f->a.thread = 1, f->a.kind = FINDING_WRITE;
  f->b.at = other, f->b.thread = 2;
  vec_push(&f->a.stack, inner), vec_push(&f->a.stack, middle), vec_push(&f->a.stack, outer);
  vec_push(&f->b.stack, other);
  vec_push(&f->schedules, 0);
  f->object.name = report_intern(r, "counter");
  return f;
}

static Report *one_race(void) {
  Report *r = report_new();
  vec_push(&r->schedules, 0);
  race(r, 10, "inner");
  return r;
}

static bool suppressed(const char *line) {
  Report *r = one_race();
  Diags *diags = diags_new();
  Suppressions *s = suppressions_parse("s", span_of(line, strlen(line)), diags);
  assert(s && !diags_count(diags));
  suppressions_apply(s, r);
  suppressions_unused(s, diags);
  bool is = r->findings.at[0].suppressed;
  assert(diags_count(diags) == !is && finding_exit(r, FAIL_POSSIBLE) == !is);
  if (is) assert(!strcmp(r->findings.at[0].suppressed, "s:1"));
  suppressions_free(s);
  diags_free(diags);
  report_free(r);
  return is;
}

static void test_suppressions(void) {
  static const char *const yes[] = {"race:inner",
                                    "race: inner ",
                                    "race:other",
                                    "race:counter",
                                    "race:inn*",
                                    "race:*ner",
                                    "race:i*n*r",
                                    "race:a.c",
                                    "race:lib/a.c",
                                    "race:a.c:10",
                                    "race:src/lib/a.c",
                                    "race:inner^qsort",
                                    "race:inner ^ qsort ^ N::outer",
                                    "race:qsort^N::outer(int)",
                                    "race:inner^...^N::outer",
                                    "race:...^N::*",
                                    "race:inner^...",
                                    "race:inner^...^qsort",
                                    "race:*^*^*",
                                    "race:inner & other",
                                    "race:other & inner^qsort",
                                    "race:b\\*.c",
                                    "race:libc.so.*",
                                    "called_from_lib:libc.so.*",
                                    "called_from_lib:/lib/libc.so.6",
                                    "race:inner\r"};
  static const char *const no[] = {"race:inne",
                                   "race:nner",
                                   "race:outer",
                                   "race:inner^N::outer",
                                   "race:qsort^inner",
                                   "race:*^*^*^*",
                                   "race:inner & missing",
                                   "race:inner & inner",
                                   "race:a.c:1",
                                   "race:.c",
                                   "race:ib/a.c",
                                   "deadlock:inner",
                                   "called_from_lib:libc",
                                   "race:N::outer^...^inner",
                                   "race:inner\\*",
                                   "race:counter^inner",
                                   "called_from_lib:inner",
                                   "race:other^...^qsort",
                                   "race:b\\**\\*c"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; ++i)
    assert(suppressed(yes[i]) || !fprintf(stderr, "%s\n", yes[i]));
  for (size_t i = 0; i < sizeof no / sizeof *no; ++i)
    assert(!suppressed(no[i]) || !fprintf(stderr, "%s\n", no[i]));
}

static void test_baseline(void) {
  Report *then = one_race(), *now = one_race();
  now->findings.at[0].a.at.line = 14;  // moved
  race(now, 30, "inner");              // one more of the kind
  race(now, 10, "fresh");
  baseline_mark(now, then);
  assert(now->findings.at[0].known && !now->findings.at[1].known && !now->findings.at[2].known &&
         now->has_baseline);
  race(then, 30, "inner");
  baseline_mark(now, then);
  assert(now->findings.at[0].known && now->findings.at[1].known && !now->findings.at[2].known);
  assert(finding_exit(now, FAIL_NEW) == 1 && finding_exit(then, FAIL_NEW) == 1 &&
         finding_exit(now, FAIL_REPLAYED) == 0);
  now->findings.at[2].status = FINDING_BENIGN;
  assert(finding_exit(now, FAIL_NEW) == 0 && finding_exit(now, FAIL_POSSIBLE) == 1);
  then->findings.at[1].status = FINDING_REFUTED;  // what was refuted and now is possible is news
  baseline_mark(now, then);
  assert(!now->findings.at[1].known || !now->findings.at[0].known);
  report_free(then), report_free(now);
}

static void test_exit(void) {
  Report *r = report_new();
  assert(finding_exit(r, FAIL_POSSIBLE) == 3);  // no schedule, nothing checked
  vec_push(&r->schedules, 0);
  assert(finding_exit(r, FAIL_POSSIBLE) == 0);
  vec_push(&r->incomplete, ((FindingGap){"inline assembly", NULL, 0}));
  assert(finding_exit(r, FAIL_POSSIBLE) == 3);
  race(r, 1, "f")->status = FINDING_REPLAYED;
  assert(finding_exit(r, FAIL_REPLAYED) == 1);
  r->findings.at[0].status = FINDING_REFUTED;
  assert(finding_exit(r, FAIL_POSSIBLE) == 3);
  report_free(r);
}

static void test_settle(void) {
  Report *r = one_race();
  Finding *f = race(r, 10, "inner");  // the same lines in another schedule, seen from the other side
  FindingAccess a = f->a;
  f->a = f->b, f->b = a;
  f->schedules.at[0] = 5, f->status = FINDING_REPLAYED;
  vec_push(&f->steps, ((FindingStep){.thread = 2, .role = FINDING_A}));
  race(r, 11, "inner");
  report_settle(r);
  assert(r->findings.len == 2 && r->findings.at[0].status == FINDING_REPLAYED &&
         r->findings.at[0].merged == 1);
  assert(r->findings.at[0].a.kind == FINDING_WRITE && r->findings.at[0].steps.at[0].role == FINDING_B);
  assert(r->findings.at[0].schedules.len == 2 && r->findings.at[0].schedules.at[0] == 0 &&
         r->findings.at[0].schedules.at[1] == 5);
  report_settle(r);
  assert(r->findings.len == 2 && r->findings.at[0].merged == 1);
  report_free(r);
}

// Places decide, not what is done there: one place may read and write, and lead to several objects.
static void test_places(void) {
  static const char *const names[] = {"counter", "left", "right", "left"};
  Report *r = report_new();
  for (int i = 0; i < 4; ++i) {
    Finding *f = race(r, 10, i % 2 ? "inner<int>" : "inner<long>");
    f->object.name = report_intern(r, names[i]);
    f->b.kind = i == 1 ? FINDING_WRITE : FINDING_READ;
    f->a.kind = i == 2 ? FINDING_READ : FINDING_WRITE;
    f->status = i == 3 ? FINDING_POSSIBLE : FINDING_REFUTED;
  }
  race(r, 10, "inner")->a.at.column = 4;
  race(r, 0, "inner")->a.site = "inner%1";
  race(r, 0, "inner")->a.site = "inner%2";
  report_settle(r);
  assert(r->findings.len == 4);
  for (vec_each(i, &r->findings)) {
    const Finding *f = &r->findings.at[i];
    bool merged = f->a.at.column == 3 && f->a.at.line;
    assert(f->merged == (merged ? 3 : 0) && f->status == FINDING_POSSIBLE);
    assert(merged ? !strcmp(f->object.name, "left") && !strcmp(f->also, "counter, right") : !f->also);
  }
  report_free(r);
}

static bool is_line(Sources *s, const char *file, uint32_t line, const char *text) {
  Span at = sources_line(s, file, line);
  return text ? at.at && at.len == strlen(text) && !memcmp(at.at, text, at.len) : !at.at;
}

static void test_sources(void) {
  char *dir = file_temp_dir(), *path = file_join(dir, "a.c");
  assert(!file_write(path, "one\r\n\nthree", 11, 0));
  Sources *s = sources_new(dir);
  assert(is_line(s, "a.c", 1, "one") && is_line(s, "a.c", 2, "") && is_line(s, path, 3, "three") &&
         sources_count(s, "a.c") == 3);
  assert(is_line(s, "a.c", 0, NULL) && is_line(s, "a.c", 4, NULL) && is_line(s, "b.c", 1, NULL));
  assert(!sources_count(s, "/dev/zero") && !sources_count(s, ".") && !sources_count(s, ""));
  sources_free(s);
  file_remove_tree(dir);
  mem_free(path), mem_free(dir);
}

static bool benign(const char *line, bool alone, const char *why) {
  Span reason;
  if (!annotation_benign(span_of(line, strlen(line)), alone, &reason)) return false;
  assert(reason.len == strlen(why) && !memcmp(reason.at, why, reason.len));
  return true;
}

static void test_annotations(void) {
  assert(benign("x = 1;  // specialize: benign", false, "") &&
         benign("\t// specialize: benign: only a hint", true, "only a hint"));
  assert(benign("x /* specialize: benign - a hint */ = 1;", false, "a hint") &&
         benign("/* specialize:benign */", true, ""));
  assert(benign("s = \"//\"; /* y */ // specialize: benign, a \"hint\"", false, "a \"hint\"") &&
         benign("n = 1'000; // specialize: benign", false, ""));
  assert(!benign("x = 1;  // specialize: benign", true, "") &&
         !benign("/* specialize: benign */ x = 1;", true, ""));
  assert(!benign("s = \"// specialize: benign\";", false, "") &&
         !benign("// specialize: benignly", false, "") && !benign("// not specialize: benign", false, ""));
  assert(!benign("c = '\"'; s = \"// specialize: benign\";", false, "") &&
         !benign("specialize: benign", false, "") && !benign("/", false, "") && !benign("", true, ""));
}

int main(void) {
  for (uint64_t seed = 0; seed < 150; ++seed) test_formats(seed, false), test_formats(seed, true);
  test_suppressions();
  test_baseline();
  test_exit();
  test_settle();
  test_places();
  test_sources();
  test_annotations();
  return 0;
}
