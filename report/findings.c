#include "findings.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

const char *const finding_statuses[4] = {"possible", "replayed", "refuted", "benign"};
const char *const finding_seens[5] = {"unwatched", "never-ran", "never-met", "atomics", "unordered"};
const char *const finding_places[6] = {"unknown", "global", "heap", "stack", "thread-local", "other"};
const char *const finding_roles[3] = {"event", "a", "b"};

const char *finding_status_word(FindingStatus s) {
  assert(s <= FINDING_BENIGN);
  return finding_statuses[s];
}
const char *finding_kind_word(FindingKind k) {
  return k == FINDING_READ ? "read" : k == FINDING_WAIT ? "wait" : "write";
}
const char *finding_place_word(FindingPlace p) {
  assert(p <= FINDING_OTHER);
  return finding_places[p];
}
const char *finding_role_word(int role) {
  assert(role >= FINDING_EVENT && role <= FINDING_B);
  return finding_roles[role];
}

bool word_in(const char *const *words, size_t n, const char *word, int *out) {
  for (size_t i = 0; i < n; ++i)
    if (!strcmp(words[i], word)) return *out = (int)i, true;
  return false;
}

bool finding_open(const Finding *f) {
  return !f->suppressed && (f->status == FINDING_POSSIBLE || f->status == FINDING_REPLAYED);
}

Counts counts_of(const Report *r) {
  CHECKED(report_check(r));
  Counts c = {0};
  Map *groups = map_new();
  for (vec_each(i, &r->findings)) {
    const Finding *f = &r->findings.at[i];
    if (f->suppressed)
      ++c.suppressed;
    else
      ++c.status[f->status];
    if (finding_open(f)) ++*(f->known ? &c.known : &c.fresh);
    bool listed = f->status == FINDING_POSSIBLE && !f->suppressed;
    if (listed && !map_or(groups, f->group, 0)) ++c.groups;
    if (listed) map_put(groups, f->group, 1);
  }
  map_free(groups);
  return c;
}

bool finding_fail_parse(const char *word, FindingFail *out) {
  static const char *const words[] = {"possible", "new", "seen", "replayed"};
  int found = 0;
  if (!WORD_IN(words, word, &found)) return false;
  *out = (FindingFail)found;
  return true;
}

int finding_exit(const Report *r, FindingFail on) {
  for (vec_each(i, &r->findings)) {
    const Finding *f = &r->findings.at[i];
    bool replayed = f->status == FINDING_REPLAYED, seen = replayed || f->seen == FINDING_UNORDERED;
    if (!finding_open(f) || (on == FAIL_NEW && f->known)) continue;
    if ((on != FAIL_REPLAYED || replayed) && (on != FAIL_SEEN || seen)) return 1;
  }
  return r->incomplete.len || !r->schedules.len ? 3 : 0;
}

const char *finding_seen_word(FindingSeen s) {
  static const char *const words[] = {
      [FINDING_UNWATCHED] = "not watched",    [FINDING_NEVER_RAN] = "one side never ran",
      [FINDING_NEVER_MET] = "never met",      [FINDING_ATOMICS] = "ordered by atomics",
      [FINDING_UNORDERED] = "seen unordered",
  };
  return words[s];
}

const char *finding_seen_text(FindingSeen s) {
  static const char *const texts[] = {
      [FINDING_NEVER_RAN] = "one of them did not run",
      [FINDING_NEVER_MET] = "both ran, but never touched the same byte with nothing between that orders them",
      [FINDING_ATOMICS] = "both touched the same byte, and only atomic operations may have ordered them",
      [FINDING_UNORDERED] = "both touched the same byte, and nothing ordered them"};
  assert(s <= FINDING_UNORDERED);
  return texts[s];
}

const char *finding_headline(const Finding *f) {
  return strcmp(f->rule, "race") ? f->rule : "data race";
}

void put_access_word(const FindingAccess *a, bool large, Bytes *out) {
  const char *word = a->kind == FINDING_FREE ? "free" : finding_kind_word(a->kind);
  size_t at = out->len;
  putf(out, "%s%s", a->atomic ? "atomic " : "", word);
  if (large) out->at[at] = (unsigned char)(out->at[at] - 'a' + 'A');
}

void put_thread_word(uint32_t thread, Bytes *out) {
  if (thread)
    putf(out, "thread T%" PRIu32, thread);
  else
    put(out, "the main thread");
}

void put_source_place(const FindingFrame *f, Bytes *out) {
  if (!f->file) {
    if (f->library) putf(out, "("), put_shown(out, f->library), put(out, ")");
    return;
  }
  put_shown(out, f->file);
  if (f->line) putf(out, ":%" PRIu32, f->line);
  if (f->line && f->column) putf(out, ":%" PRIu32, f->column);
}

void put_object_words(const FindingObject *o, Bytes *out) {
  static const char *const kinds[] = {
      "object", "global", "heap block", "stack variable", "thread-local variable", "object"};
  put(out, kinds[o->place]);
  if (o->name) put(out, " '"), put_shown(out, o->name), put(out, "'");
  if (o->bytes) putf(out, " of %" PRIu64 " byte%s", o->bytes, o->bytes == 1 ? "" : "s");
}

const char *finding_noun(const Report *r) {
  return r->deadlocks ? "deadlock" : "race";
}

void put_waits_for(const FindingThread *t, Bytes *out) {
  static const struct {
    const char *does, *words;
  } all[] = {{"lock", "to lock "},
             {"read-lock", "to read-lock "},
             {"join", "for the end of thread "},
             {"wait", "to be woken at condition "},
             {"barrier", "at barrier "},
             {"semaphore", "for semaphore "}};
  const char *words = "for ";
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strcmp(all[i].does, t->does)) words = all[i].words;
  put(out, words), put_shown(out, t->object);
}

// Only what was enforced was checked: a program is never called race-free. What is refuted may come with
// another input that Σ admits.
void put_clean(const Report *r, Bytes *out) {
  Counts c = counts_of(r);
  const char *what = finding_noun(r);
  if (!r->schedules.len)
    put(out, "nothing was checked: no schedule");
  else if (r->incomplete.len)
    putf(out, "no %s found, but not everything could be checked", what);
  else if (r->deadlocks)
    put(out, r->findings.len ? "no open deadlock in other orders of these runs"
                             : "no deadlock in other orders of these runs");
  else if (c.status[FINDING_REFUTED])
    put(out, "no race under Σ, enforced, with the inputs that were tried");
  else if (r->runs && !r->findings.len)
    put(out, "no race in any run with these schedules");
  else
    put(out, r->findings.len ? "no open race under Σ, enforced" : "Race-free under Σ, enforced");
  const char *comma = ": ";
  for (int s = FINDING_REFUTED; s <= FINDING_BENIGN; ++s)
    if (c.status[s]) putf(out, "%s%zu %s", comma, c.status[s], finding_statuses[s]), comma = ", ";
  if (c.suppressed) putf(out, "%s%zu suppressed", comma, c.suppressed);
}

// For which runs, threads and code the verdict is.
void put_scope(const Report *r, Bytes *out) {
  put(out, "runs that follow ");
  if (r->schedules.len == 1)
    putf(out, "schedule %u", r->schedules.at[0]);
  else
    putf(out, "one of %zu schedules", r->schedules.len);
  if (r->unfinished)
    putf(out, "; %u thread%s never ended and may run until the process ends", r->unfinished,
         r->unfinished == 1 ? "" : "s");
  else
    put(out, "; every thread ended");
  if (r->forks) put(out, "; forked processes not examined");
  if (r->incomplete.len)
    putf(out, "; %zu thing%s not examined", r->incomplete.len, r->incomplete.len == 1 ? " was" : "s were");
  else
    put(out, "; no code left out");
  if (!r->limits.len) put(out, ", no limit reached");
  for (vec_each(i, &r->limits)) {
    const FindingLimit *l = &r->limits.at[i];
    putf(out, "%s%s", i ? ", " : "; limits reached: ", l->name);
    if (l->times > 1) putf(out, " (%llu times)", (unsigned long long)l->times);
  }
}

static bool is_part(Span s, const char *text) {
  return s.len == strlen(text) && !memcmp(s.at, text, s.len);
}

// Without empty parts, . and ..; of a relative path .. stays where there is nothing to go up from.
static char *plain_path(const char *path) {
  Vec(Span) parts = {0};
  Bytes out = {0};
  for (const char *at = path; *at; at += *at == '/') {
    Span part = span_of(at, strcspn(at, "/"));
    at += part.len;
    bool up = is_part(part, "..");
    if (!part.len || is_part(part, ".") || (up && *path == '/' && !parts.len)) continue;
    if (up && parts.len && !is_part(vec_last(&parts), ".."))
      (void)vec_pop(&parts);
    else
      vec_push(&parts, part);
  }
  for (vec_each(i, &parts)) {
    if (i || *path == '/') vec_push(&out, '/');
    vec_append(&out, parts.at[i].at, parts.at[i].len);
  }
  vec_push(&out, 0);
  vec_free(&parts);
  return (char *)out.at;
}

char *source_name(const Report *r, const FindingOptions *o, const char *file) {
  char *joined = r->directory ? file_join(r->directory, file) : mem_string(file), *plain = plain_path(joined);
  char *root = o && o->root ? plain_path(o->root) : r->directory ? plain_path(r->directory) : NULL;
  size_t n = root ? strlen(root) : 0;
  if (n && !strncmp(plain, root, n) && plain[n] == '/') memmove(plain, plain + n + 1, strlen(plain + n));
  mem_free(joined);
  mem_free(root);
  return plain;
}
