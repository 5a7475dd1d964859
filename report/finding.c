// The model: making, freeing, and putting in order. Findings of one pair of source sites are merged by
// sorting them by what is the same, so that ten instances of a template or a macro are one line of the
// report.
#include "finding.h"
#include <assert.h>
#include <stdlib.h>

Report *report_new(void) {
  Report *r = mem_alloc(sizeof *r);
  r->texts = intern_new();
  r->scheduled_share = 1;
  return r;
}

static void access_free(FindingAccess *a) {
  vec_free(&a->created);
  vec_free(&a->stack);
  vec_free(&a->locks);
}

static void finding_free(Finding *f) {
  access_free(&f->a);
  access_free(&f->b);
  for (vec_each(i, &f->threads)) vec_free(&f->threads.at[i].stack), vec_free(&f->threads.at[i].holds);
  vec_free(&f->threads);
  vec_free(&f->object.where);
  vec_free(&f->schedules);
  vec_free(&f->steps);
  vec_free(&f->waits);
}

void report_free(Report *r) {
  if (!r) return;
  for (vec_each(i, &r->findings)) finding_free(&r->findings.at[i]);
  vec_free(&r->findings);
  vec_free(&r->schedules);
  vec_free(&r->incomplete);
  vec_free(&r->limits);
  intern_free(r->texts);
  mem_free(r);
}

const char *report_intern(Report *r, const char *text) {
  return text ? intern_text(r->texts, intern_id(r->texts, text, strlen(text))) : NULL;
}

const char *report_print(Report *r, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  const char *kept = report_intern(r, text);
  mem_free(text);
  return kept;
}

Finding *report_add(Report *r) {
  Finding f = {.rule = report_intern(r, r->deadlocks ? "deadlock" : "race"), .object.thread = FINDING_NONE};
  f.a.creator = f.b.creator = FINDING_NONE;
  vec_push(&r->findings, f);
  return &vec_last(&r->findings);
}

static int by_text(const char *a, const char *b) {
  return !a || !b ? !!a - !!b : strcmp(a, b);
}
static int by_number(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

// A place in the source, whatever is done there: += reads and writes, and a template has many instances. Of
// code without lines the site says which access it is.
static int by_site(const FindingAccess *a, const FindingAccess *b) {
  int c = by_text(a->at.file, b->at.file);
  if (!c) c = by_number(a->at.line, b->at.line);
  if (!c) c = by_number(a->at.column, b->at.column);
  if (c || a->at.line) return c;
  c = by_text(a->at.function, b->at.function);
  return c ? c : by_text(a->site, b->site);
}

// Which side is called a says nothing.
static int by_pair(const Finding *f, const Finding *g) {
  bool f_turned = by_site(&f->a, &f->b) > 0, g_turned = by_site(&g->a, &g->b) > 0;
  int c = by_text(f->rule, g->rule);
  if (!c) c = by_site(f_turned ? &f->b : &f->a, g_turned ? &g->b : &g->a);
  if (!c) c = by_site(f_turned ? &f->a : &f->b, g_turned ? &g->a : &g->b);
  return c ? c : by_text(f->key, g->key);
}

static int strength(FindingStatus s) {
  assert(s <= FINDING_BENIGN);
  static const int order[] = {
      [FINDING_REPLAYED] = 0, [FINDING_POSSIBLE] = 1, [FINDING_REFUTED] = 2, [FINDING_BENIGN] = 3};
  return order[s];
}

static uint32_t first_schedule(const Finding *f) {
  return f->schedules.len ? f->schedules.at[0] : FINDING_NONE;
}

static int by_pair_and_strength(const void *p, const void *q) {
  const Finding *a = p, *b = q;
  int c = by_pair(a, b);
  if (!c) c = strength(a->status) - strength(b->status);
  if (!c) c = by_number(first_schedule(a), first_schedule(b));
  if (!c) c = by_text(a->object.name, b->object.name);
  if (!c) c = by_number(a->a.kind, b->a.kind);
  if (!c) c = by_number(a->b.kind, b->b.kind);
  if (!c) c = by_text(a->a.site, b->a.site);
  if (!c) c = by_text(a->b.site, b->b.site);
  if (!c) c = by_number(a->a.thread, b->a.thread);
  return c ? c : by_number(a->b.thread, b->b.thread);
}

bool finding_is_own_file(const char *file) {
  static const char *const folders[] = {"/usr/include/", "/usr/local/include/", "/usr/lib/", "/include/c++/"};
  bool own = file != NULL;
  for (size_t i = 0; own && i < sizeof folders / sizeof *folders; ++i) own = !strstr(file, folders[i]);
  return own;
}

const FindingFrame *finding_own_frame(const FindingFrames *stack) {
  for (vec_each(i, stack))
    if (finding_is_own_file(stack->at[i].file)) return &stack->at[i];
  return NULL;
}

static unsigned own_places(const Finding *f) {
  return finding_is_own_file(f->a.at.file) + finding_is_own_file(f->b.at.file);
}

static int by_strength_and_pair(const void *p, const void *q) {
  const Finding *a = p, *b = q;
  int c = strength(a->status) - strength(b->status);
  if (!c) c = by_number(b->seen, a->seen);
  if (!c) c = by_number(own_places(b), own_places(a));
  return c ? c : by_pair(a, b);
}

static int by_id(const void *p, const void *q) {
  const uint32_t *a = p, *b = q;
  return by_number(*a, *b);
}

// The names of the objects of what was merged, each once, besides the finding's own.
static bool is_named(const Finding *f, const char *name) {
  size_t n = strlen(name);
  if (f->object.name && !strcmp(f->object.name, name)) return true;
  for (const char *at = f->also; at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL)
    if (!strncmp(at, name, n) && (!at[n] || !strncmp(at + n, ", ", 2))) return true;
  return false;
}

static void merge(Report *r, Finding *into, Finding *from) {
  assert(strength(into->status) <= strength(from->status));  // the strongest stays
  const char *name = from->object.name;
  if (name && !is_named(into, name))
    into->also = into->also ? report_print(r, "%s, %s", into->also, name) : name;
  if (from->seen > into->seen) into->seen = from->seen;
  vec_append(&into->schedules, from->schedules.at, from->schedules.len);
  into->merged += 1 + from->merged;
  finding_free(from);
}

static void settle_schedules(Finding *f) {
  size_t kept = 0;
  if (!f->schedules.len) return;
  qsort(f->schedules.at, f->schedules.len, sizeof *f->schedules.at, by_id);
  for (vec_each(i, &f->schedules))
    if (!kept || f->schedules.at[i] != f->schedules.at[kept - 1])
      f->schedules.at[kept++] = f->schedules.at[i];
  f->schedules.len = kept;
}

// The write first; of two of a kind, the one that stands first in the source.
static void settle_sides(Finding *f) {
  bool swap = f->a.kind == FINDING_READ ? f->b.kind != FINDING_READ
                                        : f->b.kind != FINDING_READ && by_site(&f->a, &f->b) > 0;
  if (!swap) return;
  FindingAccess a = f->a;
  f->a = f->b, f->b = a;
  for (vec_each(i, &f->steps))
    if (f->steps.at[i].role) f->steps.at[i].role = f->steps.at[i].role == FINDING_A ? FINDING_B : FINDING_A;
}

static const char *text_or(const char *text, const char *other) {
  return text ? text : other ? other : "";
}

static void settle_groups(Report *r) {
  Intern *causes = intern_new();
  for (vec_each(i, &r->findings)) {
    Finding *f = &r->findings.at[i];
    const char *a = text_or(f->a.at.function, f->a.site), *b = text_or(f->b.at.function, f->b.site);
    bool turned = strcmp(a, b) > 0;
    char *cause = mem_format("%s\n%s\n%s\n%s", text_or(f->object.name, NULL), turned ? b : a, turned ? a : b,
                             text_or(f->key, NULL));
    f->group = intern_id(causes, cause, strlen(cause));
    mem_free(cause);
  }
  intern_free(causes);
}

void report_settle(Report *r) {
  size_t kept = 0;
  if (!r->findings.len) return;
  for (vec_each(i, &r->findings)) {
    settle_sides(&r->findings.at[i]);
    settle_schedules(&r->findings.at[i]);
  }
  qsort(r->findings.at, r->findings.len, sizeof *r->findings.at, by_pair_and_strength);
  for (vec_each(i, &r->findings)) {
    Finding *f = &r->findings.at[i];
    if (kept && !by_pair(&r->findings.at[kept - 1], f))
      merge(r, &r->findings.at[kept - 1], f);
    else
      r->findings.at[kept++] = *f;
  }
  r->findings.len = kept;
  for (vec_each(i, &r->findings)) settle_schedules(&r->findings.at[i]);
  qsort(r->findings.at, kept, sizeof *r->findings.at, by_strength_and_pair);
  settle_groups(r);
  CHECKED(report_check(r));
}

static void check_access(const FindingAccess *a) {
  assert(a->kind <= FINDING_WAIT);
  for (vec_each(i, &a->locks)) assert(a->locks.at[i].name);
}

static void check_steps(const Finding *f) {
  for (vec_each(i, &f->steps)) assert(f->steps.at[i].role <= FINDING_B);
  for (vec_each(i, &f->waits)) {
    const FindingWait *w = &f->waits.at[i];
    assert(w->from < w->to && w->to < f->steps.len);
  }
}

// The write is a, and schedules are in order.
static void check_finding(const Finding *f) {
  assert(f->rule && f->status <= FINDING_BENIGN && f->seen <= FINDING_UNORDERED &&
         f->object.place <= FINDING_OTHER);
  check_access(&f->a), check_access(&f->b);
  assert(f->a.kind != FINDING_READ || f->b.kind == FINDING_READ);
  assert(f->a.kind == FINDING_READ || f->b.kind == FINDING_READ || by_site(&f->a, &f->b) <= 0);
  for (size_t i = 1; i < f->schedules.len; ++i) assert(f->schedules.at[i - 1] < f->schedules.at[i]);
  check_steps(f);
  assert(strcmp(f->rule, "deadlock") || f->threads.len);
  for (vec_each(i, &f->threads)) {
    const FindingThread *t = &f->threads.at[i];
    assert(t->does && t->object && (t->on == FINDING_NONE || t->on < f->threads.len));
  }
}

void report_check(const Report *r) {
  assert(r->scheduled_share >= 0 && r->scheduled_share <= 1);
  for (vec_each(i, &r->findings)) {
    const Finding *f = &r->findings.at[i];
    check_finding(f);
    assert(!f->known || r->has_baseline);
    assert(!i || by_strength_and_pair(f - 1, f) < 0);  // one for each pair of places
  }
  for (vec_each(i, &r->incomplete)) assert(r->incomplete.at[i].text);
}
