// Programs solved from memory: rows in, rows out, sizes, ends.
#undef NDEBUG
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include "datalog/datalog.h"

static Span text(const char *s) {
  return span_of((const unsigned char *)s, strlen(s));
}

static Datalog *parse(const char *s, const DatalogOptions *o, Diags *d) {
  Datalog *made = datalog_parse("unit.datalog", text(s), o, d);
  if (!made) diags_print(d, stderr, "unit");
  return made;
}

static const char closure[] =
    "V 4\n"
    "edge (a:V0, b:V1)\n"
    "path (a:V0, b:V1)\n"
    "path(a,b) :- edge(a,b).\n"
    "path(a,c) :- path(a,b), edge(b,c).\n";

typedef struct {
  size_t rows;
  uint64_t sum;
} Seen;

static bool see(void *self, const uint64_t *values) {
  Seen *s = self;
  ++s->rows;
  s->sum += values[0] * 1000 + values[1];
  return s->rows < 100;
}

// A chain of 300 edges closes to 300 * 301 / 2 pairs, however many rounds that takes.
static void test_chain(void) {
  Diags *d = diags_new();
  Datalog *p = parse(closure, NULL, d);
  uint64_t rows[300][2];
  for (uint64_t i = 0; i < 300; ++i) rows[i][0] = i, rows[i][1] = i + 1;
  assert(!datalog_give(p, "edge", rows[0], 300));  // not in the domain
  assert(!datalog_resize(p, "W", 400) && !datalog_resize(p, "V", 0));
  assert(datalog_resize(p, "V", 301));
  assert(!datalog_give(p, "edges", rows[0], 300));
  assert(datalog_give(p, "edge", rows[0], 300));
  assert(datalog_solve(p, d) == DATALOG_SOLVED);
  assert(datalog_size(p, "path") == 45150 && datalog_size(p, "edge") == 300 && datalog_size(p, "x") == -1);
  Seen s = {0};
  assert(!datalog_each(p, "path", see, &s) && s.rows == 100);
  s = (Seen){0};
  assert(datalog_each(p, "edge", (DatalogRow *)see, &s) == false);
  datalog_free(p);
  diags_free(d);
}

// One after the other: nothing of the first is left.
static void test_again(void) {
  for (uint64_t n = 1; n < 4; ++n) {
    Diags *d = diags_new();
    Datalog *p = parse(closure, NULL, d);
    uint64_t row[] = {0, n, n, 0};
    assert(datalog_give(p, "edge", row, 2));
    assert(datalog_solve(p, d) == DATALOG_SOLVED);
    assert(datalog_size(p, "path") == 4);
    Seen s = {0};
    assert(datalog_each(p, "path", see, &s) && s.rows == 4 && s.sum == (n * 1001) * 2);
    datalog_free(p);
    diags_free(d);
  }
}

static void test_files(void) {
  Diags *d = diags_new();
  Datalog *p = parse(closure, NULL, d);
  assert(datalog_give_file(p, "edge", false, text("# V1:2 V0:2\n1 0\n2-3 1\n")));
  assert(datalog_solve(p, d) == DATALOG_SOLVED);
  assert(datalog_size(p, "edge") == 3 && datalog_size(p, "path") == 5);
  datalog_free(p);
  p = parse(closure, NULL, d);
  assert(datalog_give_file(p, "edge", false, text("1 7\n")));
  assert(datalog_solve(p, d) == DATALOG_WRONG && diags_errors(d) == 1);
  datalog_free(p);
  diags_free(d);
}

// Each function calls the next one from two sites: 2^80 paths, far more than contexts. They are merged, and
// all of the graph is there.
static void test_many_paths(void) {
  Diags *d = diags_new();
  Datalog *p = parse(
      "M 128\nI 256\nC 4611686018427387904\n"
      "root (m:M0)\nhas (m:M0, i:I0)\ncalls (i:I0, m:M0)\nnum (i:I0, m:M0, cr:C0, ce:C1)\n"
      "num(i,m,cr,ce) :- root(m), has(m,i), calls(i,m). number\n"
      "back (i:I0, m:M0)\nback(i,m) :- num(i,m,_,_).\n"
      "small (i:I0, cr:C0, ce:C1)\nsmall(i,cr,ce) :- num(i,3,cr,ce).\n",
      NULL, d);
  uint64_t has[160][2], calls[160][2], root = 0;
  for (uint64_t i = 0; i < 160; ++i) {
    has[i][0] = i / 2, has[i][1] = i;
    calls[i][0] = i, calls[i][1] = i / 2 + 1;
  }
  assert(datalog_give(p, "has", has[0], 160) && datalog_give(p, "calls", calls[0], 160));
  assert(datalog_give(p, "root", &root, 1));
  assert(datalog_solve(p, d) == DATALOG_SOLVED);
  assert(datalog_size(p, "back") == 160);
  assert(datalog_size(p, "small") == 8);  // 4 contexts of function 2, from two sites
  assert(datalog_size(p, "num") > ldexp(1, 62));
  datalog_free(p);
  diags_free(d);
}

static void test_budgets(void) {
  Diags *d = diags_new();
  DatalogOptions few = {.nodes = 1000};
  const char *squares =
      "V 65536\nr (a:V0, b:V1)\ns (a:V0, b:V1, c:V2)\n.bddvarorder V0_V1_V2\n"
      "r(a,b) :- a < b.\ns(a,b,c) :- r(a,b), r(b,c), a != c.\n";
  Datalog *p = parse(squares, &few, d);
  assert(datalog_solve(p, d) == DATALOG_INCOMPLETE && diags_count(d) == 1 && !diags_errors(d));
  assert(datalog_size(p, "s") == 0);
  datalog_free(p);
  diags_free(d);
}

int main(void) {
  test_chain();
  test_again();
  test_files();
  test_many_paths();
  test_budgets();
  return 0;
}
