// SARIF 2.1.0. Editors show the first thread flow of the first code flow only: so that one holds the whole
// interleaving, each step with its thread before it; the second has a flow for each thread. Message texts
// double braces and escape brackets, as the standard asks (3.11.5, 3.11.6).
#include <inttypes.h>
#include "findings.h"

typedef struct {
  const Report *r;
  const FindingOptions *o;
  Json *j;
} Sarif;

static void text_field(const Sarif *s, const char *name, const char *text) {
  json_key(s->j, name);
  json_text(s->j, text);
}

// The name as a URI reference: all but plain characters in hexadecimal; a first part never looks like a
// scheme.
static void put_uri(Json *j, const char *prefix, const char *path) {
  Bytes b = {0};
  put(&b, prefix);
  for (const char *c = path; *c; ++c) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    if (letter || strchr("/-._~+,@=", *c))
      vec_push(&b, (unsigned char)*c);
    else
      putf(&b, "%%%02X", (unsigned char)*c);
  }
  json_bytes(j, &b);
  vec_free(&b);
}

static void put_artifact(const Sarif *s, const char *file) {
  char *name = source_name(s->r, s->o, file);
  json_key(s->j, "artifactLocation"), json_open(s->j, '{');
  json_key(s->j, "uri"), put_uri(s->j, *name == '/' ? "file://" : "", name);
  if (*name != '/') text_field(s, "uriBaseId", "SRCROOT");
  json_close(s->j, '}');
  mem_free(name);
}

// The compiler counts bytes, SARIF characters.
static uint32_t characters(const Sarif *s, const FindingFrame *f) {
  Span line = s->o->sources ? sources_line(s->o->sources, f->file, f->line) : (Span){0};
  uint32_t n = f->column;
  for (size_t i = 0; i < line.len && i + 1 < f->column; ++i) n -= (line.at[i] & 0xc0) == 0x80;
  return n;
}

static void put_region(const Sarif *s, const FindingFrame *f) {
  json_key(s->j, "region"), json_open(s->j, '{');
  json_key(s->j, "startLine"), json_number(s->j, f->line);
  if (f->column) json_key(s->j, "startColumn"), json_number(s->j, characters(s, f));
  json_close(s->j, '}');
}

static void open_message(const Sarif *s, Bytes *text) {
  json_key(s->j, "message"), json_open(s->j, '{');
  json_key(s->j, "text"), json_bytes(s->j, text);
  json_close(s->j, '}');
  vec_free(text);
}

// Text that may hold anything, inside a message.
static void put_escaped_bytes(Bytes *out, Bytes *text) {
  for (vec_each(i, text)) {
    unsigned char c = text->at[i];
    if (c == '[' || c == ']' || c == '\\') vec_push(out, '\\');
    if (c == '{' || c == '}') vec_push(out, c);
    vec_push(out, c);
  }
  vec_free(text);
}

static void put_escaped(Bytes *out, const char *text) {
  Bytes shown = {0};
  put_shown(&shown, text);
  put_escaped_bytes(out, &shown);
}

// The fields of a location, without its braces.
static void put_location_fields(const Sarif *s, const FindingFrame *f) {
  if (f->file) {
    json_key(s->j, "physicalLocation"), json_open(s->j, '{');
    put_artifact(s, f->file);
    if (f->line) put_region(s, f);
    json_close(s->j, '}');
  }
  if (f->function) {
    json_key(s->j, "logicalLocations"), json_open(s->j, '[');
    json_open(s->j, '{');
    text_field(s, "fullyQualifiedName", f->function);
    text_field(s, "kind", "function");
    json_close(s->j, '}');
    json_close(s->j, ']');
  }
}

static void access_text(const FindingAccess *a, bool large, Bytes *out) {
  put_access_word(a, large, out);
  put(out, " by ");
  put_thread_word(a->thread, out);
}

static void put_waits(const Finding *f, Bytes *m) {
  Bytes words = {0};
  for (vec_each(i, &f->threads)) {
    const FindingThread *t = &f->threads.at[i];
    put(m, i ? i == 1 ? "; [" : "; " : "");
    put_thread_word(t->thread, m);
    for (vec_each(k, &t->holds)) put(m, k ? ", " : " holds "), put_escaped(m, t->holds.at[k].object);
    put(m, t->holds.len ? " and waits " : " waits ");
    put_waits_for(t, &words), put_escaped_bytes(m, &words);
    if (i == 1) put(m, "](1)");
  }
  putf(m, ". Status: %s", finding_status_word(f->status));
}

static void put_pair(const Finding *f, Bytes *to) {
  Bytes m = {0}, words = {0};
  access_text(&f->a, false, &m);
  if (f->a.at.function) put(&m, " in "), put_escaped(&m, f->a.at.function);
  put(&m, " and [");
  access_text(&f->b, false, &m);
  if (f->b.at.function) put(&m, " in "), put_escaped(&m, f->b.at.function);
  put(&m, "](1)");
  if (f->b.at.file) put(&m, " at "), put_source_place(&f->b.at, &words), put_escaped_bytes(&m, &words);
  put(&m, " of ");
  put_object_words(&f->object, &words), put_escaped_bytes(&m, &words);
  putf(&m, " are not ordered by the schedule. Status: %s", finding_status_word(f->status));
  vec_append(to, m.at, m.len);
  vec_free(&m);
}

static void put_message(const Sarif *s, const Finding *f) {
  Bytes m = {0};
  putf(&m, "%c%s: ", finding_headline(f)[0] - 'a' + 'A', finding_headline(f) + 1);
  if (f->threads.len)
    put_waits(f, &m);
  else
    put_pair(f, &m);
  if (f->followed) put(&m, "; then "), put_escaped(&m, f->followed);
  put(&m, ".");
  if (finding_seen_text(f->seen)) putf(&m, " In a run: %s.", finding_seen_text(f->seen));
  if (f->why) put(&m, " Why: "), put_escaped(&m, f->why);
  open_message(s, &m);
}

static void put_frame_location(const Sarif *s, const FindingFrame *f, Bytes *message) {
  json_key(s->j, "location"), json_open(s->j, '{');
  put_location_fields(s, f);
  if (message) open_message(s, message);
  json_close(s->j, '}');
}

static void put_stack(const Sarif *s, const FindingAccess *a) {
  Bytes m = {0};
  if (!a->stack.len) return;
  json_open(s->j, '{');
  access_text(a, true, &m);
  open_message(s, &m);
  json_key(s->j, "frames"), json_open(s->j, '[');
  for (vec_each(i, &a->stack)) {
    json_open(s->j, '{');
    put_frame_location(s, &a->stack.at[i], NULL);
    json_close(s->j, '}');
  }
  json_close(s->j, ']');
  json_close(s->j, '}');
}

// A step to be shown: a racy access, or where another thread goes on.
static bool is_shown(const Finding *f, size_t i) {
  const FindingStep *at = f->steps.at;
  if (!at[i].role && f->steps.len - i > LIMIT_SARIF_STEPS) return false;
  return at[i].role || !i || at[i - 1].thread != at[i].thread || i + 1 == f->steps.len ||
         at[i + 1].thread != at[i].thread;
}

static void put_step(const Sarif *s, const Finding *f, const FindingStep *step, size_t order, bool prefix) {
  const FindingAccess *a = step->role == FINDING_A ? &f->a : &f->b;
  Bytes m = {0};
  json_open(s->j, '{');
  if (prefix) putf(&m, "\\[T%" PRIu32 "\\] ", step->thread);
  if (step->text)
    put_escaped(&m, step->text);
  else if (step->role)
    put_access_word(a, false, &m);
  else
    put(&m, "event");
  put_frame_location(s, step->role && !step->at.file ? &a->at : &step->at, &m);
  json_key(s->j, "executionOrder"), json_number(s->j, order + 1);
  text_field(s, "importance", step->role ? "essential" : "important");
  json_close(s->j, '}');
}

static void open_flow(const Sarif *s) {
  json_open(s->j, '{');
  json_key(s->j, "threadFlows"), json_open(s->j, '[');
}
static void close_flow(const Sarif *s) {
  json_close(s->j, ']');
  json_close(s->j, '}');
}

static void put_merged_flow(const Sarif *s, const Finding *f) {
  open_flow(s);
  json_open(s->j, '{');
  json_key(s->j, "locations"), json_open(s->j, '[');
  for (vec_each(i, &f->steps))
    if (is_shown(f, i)) put_step(s, f, &f->steps.at[i], i, true);
  json_close(s->j, ']');
  json_close(s->j, '}');
  close_flow(s);
}

static void put_thread_flow(const Sarif *s, const Finding *f, uint32_t thread) {
  char *id = mem_format("T%" PRIu32, thread);
  json_open(s->j, '{');
  text_field(s, "id", id);
  json_key(s->j, "locations"), json_open(s->j, '[');
  for (vec_each(i, &f->steps))
    if (is_shown(f, i) && f->steps.at[i].thread == thread) put_step(s, f, &f->steps.at[i], i, false);
  json_close(s->j, ']');
  json_close(s->j, '}');
  mem_free(id);
}

static void put_flow_by_thread(const Sarif *s, const Finding *f) {
  Map *seen = map_new();
  open_flow(s);
  for (vec_each(i, &f->steps)) {
    uint32_t thread = f->steps.at[i].thread;
    if (map_or(seen, thread, 0)) continue;
    map_put(seen, thread, 1);
    put_thread_flow(s, f, thread);
  }
  close_flow(s);
  map_free(seen);
}

static void put_flows(const Sarif *s, const Finding *f) {
  if (!f->steps.len) return;
  json_key(s->j, "codeFlows"), json_open(s->j, '[');
  put_merged_flow(s, f);
  put_flow_by_thread(s, f);
  json_close(s->j, ']');
}

static void put_suppressions(const Sarif *s, const Finding *f) {
  if (!f->suppressed && f->status != FINDING_BENIGN) return;
  json_key(s->j, "suppressions"), json_open(s->j, '[');
  json_open(s->j, '{');
  text_field(s, "kind", f->suppressed ? "external" : "inSource");
  text_field(s, "status", "accepted");
  const char *why = f->suppressed ? f->suppressed : f->why;
  if (why) text_field(s, "justification", why);
  json_close(s->j, '}');
  json_close(s->j, ']');
}

static void put_properties(const Sarif *s, const Finding *f) {
  json_key(s->j, "properties"), json_open(s->j, '{');
  text_field(s, "status", finding_status_word(f->status));
  text_field(s, "seen", finding_seens[f->seen]);
  text_field(s, "object", f->object.name);
  text_field(s, "input", f->input);
  text_field(s, "recorded", f->recorded);
  text_field(s, "witness", f->witness);
  json_key(s->j, "schedules"), json_open(s->j, '[');
  for (vec_each(i, &f->schedules)) json_number(s->j, f->schedules.at[i]);
  json_close(s->j, ']');
  json_close(s->j, '}');
}

static void put_related(const Sarif *s, const Finding *f) {
  Bytes m = {0};
  json_key(s->j, "relatedLocations"), json_open(s->j, '[');
  json_open(s->j, '{');
  json_key(s->j, "id"), json_number(s->j, 1);
  put_location_fields(s, &f->b.at);
  access_text(&f->b, true, &m);
  open_message(s, &m);
  json_close(s->j, '}');
  for (size_t i = 2; i < f->threads.len; ++i) {
    json_open(s->j, '{');
    json_key(s->j, "id"), json_number(s->j, i);
    put_location_fields(s, &f->threads.at[i].at);
    put_thread_word(f->threads.at[i].thread, &m), put(&m, " waits");
    open_message(s, &m);
    json_close(s->j, '}');
  }
  if (f->object.where.len) {
    json_open(s->j, '{');
    json_key(s->j, "id"), json_number(s->j, 2);
    put_location_fields(s, &f->object.where.at[0]);
    put(&m, f->object.place == FINDING_HEAP ? "Allocated here" : "Declared here");
    open_message(s, &m);
    json_close(s->j, '}');
  }
  json_close(s->j, ']');
}

// refuted holds for the input of its witness only, so it is neither a failure nor a pass.
static void put_level(const Sarif *s, const Finding *f) {
  static const char *const levels[] = {[FINDING_POSSIBLE] = "warning",
                                       [FINDING_REPLAYED] = "error",
                                       [FINDING_REFUTED] = "none",
                                       [FINDING_BENIGN] = "note"};
  text_field(s, "kind", f->status == FINDING_REFUTED ? "open" : "fail");
  text_field(s, "level", levels[f->status]);
  if (s->r->has_baseline) text_field(s, "baselineState", f->known ? "unchanged" : "new");
}

static void put_result(const Sarif *s, const Finding *f, uint64_t print, size_t rule) {
  char *hash = mem_format("%016" PRIx64, print);
  s->j->lines = true;
  json_open(s->j, '{');
  s->j->lines = false;
  text_field(s, "ruleId", f->rule);
  json_key(s->j, "ruleIndex"), json_number(s->j, rule);
  put_level(s, f);
  put_message(s, f);
  json_key(s->j, "locations"), json_open(s->j, '[');
  json_open(s->j, '{');
  put_location_fields(s, &f->a.at);
  json_close(s->j, '}');
  json_close(s->j, ']');
  put_related(s, f);
  put_flows(s, f);
  json_key(s->j, "stacks"), json_open(s->j, '[');
  put_stack(s, &f->a);
  put_stack(s, &f->b);
  json_close(s->j, ']');
  json_key(s->j, "partialFingerprints"), json_open(s->j, '{');
  text_field(s, "accessPair/v1", hash);
  json_close(s->j, '}');
  put_suppressions(s, f);
  put_properties(s, f);
  json_close(s->j, '}');
  mem_free(hash);
}

static void put_markdown(const Sarif *s, const char *name, const char *text) {
  json_key(s->j, name), json_open(s->j, '{');
  text_field(s, "text", text);
  json_close(s->j, '}');
}

static void put_rule(const Sarif *s, const char *id) {
  bool race = !strcmp(id, "race"), deadlock = !strcmp(id, "deadlock");
  json_open(s->j, '{');
  text_field(s, "id", id);
  text_field(s, "name", race ? "DataRace" : deadlock ? "Deadlock" : id);
  if (deadlock) {
    put_markdown(s, "shortDescription", "Threads wait for each other, and none of them can go on.");
    put_markdown(s, "fullDescription",
                 "In another order of what the examined runs did, each of these threads waits for something "
                 "that only another of them can give: a lock, its end, a wake-up.");
    put_markdown(s, "help",
                 "Take the locks in the same order everywhere, or under one more lock. `specialize replay` "
                 "runs the witness of a finding on the program until it stands still.");
    json_key(s->j, "properties"), json_open(s->j, '{');
    json_key(s->j, "tags"), json_open(s->j, '[');
    json_text(s->j, "concurrency"), json_text(s->j, "external/cwe/cwe-833");
    json_close(s->j, ']');
    json_close(s->j, '}');
  }
  if (race) {
    put_markdown(s, "shortDescription",
                 "Two threads access the same memory, one of them writes, and nothing orders them.");
    put_markdown(s, "fullDescription",
                 "Under the examined schedules, two accesses in different threads may touch the same memory, "
                 "at least one is a write, not both are atomic, and the enforced order does not order them.");
    put_markdown(
        s, "help",
        "Protect both accesses with one mutex, or order them. `specialize replay` runs the witness of a "
        "finding on the program. A harmless one can be marked with a comment, `specialize: benign`.");
    json_key(s->j, "properties"), json_open(s->j, '{');
    json_key(s->j, "tags"), json_open(s->j, '[');
    json_text(s->j, "concurrency"), json_text(s->j, "external/cwe/cwe-362");
    json_close(s->j, ']');
    json_close(s->j, '}');
  }
  json_close(s->j, '}');
}

// Ids of rules in the order of findings; that of the report comes first, found or not.
static Intern *rules_of(const Report *r) {
  Intern *rules = intern_new();
  intern_id(rules, finding_noun(r), strlen(finding_noun(r)));
  for (vec_each(i, &r->findings)) intern_id(rules, r->findings.at[i].rule, strlen(r->findings.at[i].rule));
  return rules;
}

static void put_tool(const Sarif *s, const Intern *rules) {
  json_key(s->j, "tool"), json_open(s->j, '{');
  json_key(s->j, "driver"), json_open(s->j, '{');
  text_field(s, "name", "specialize");
  text_field(s, "semanticVersion", SPECIALIZE_VERSION);
  json_key(s->j, "rules"), json_open(s->j, '[');
  for (uint32_t i = 0; i < intern_count(rules); ++i) put_rule(s, intern_text(rules, i));
  json_close(s->j, ']');
  json_close(s->j, '}');
  json_close(s->j, '}');
}

static void put_root(const Sarif *s) {
  const char *root = s->o->root ? s->o->root : s->r->directory;
  json_key(s->j, "originalUriBaseIds"), json_open(s->j, '{');
  json_key(s->j, "SRCROOT"), json_open(s->j, '{');
  if (root && *root == '/') {
    size_t n = strlen(root);
    char *folder = mem_format("%s%s", root, root[n - 1] == '/' ? "" : "/");
    json_key(s->j, "uri"), put_uri(s->j, "file://", folder);
    mem_free(folder);
  } else {
    put_markdown(s, "description", "The directory that source file names are relative to.");
  }
  json_close(s->j, '}');
  json_close(s->j, '}');
}

static void put_invocation(const Sarif *s) {
  json_key(s->j, "invocations"), json_open(s->j, '[');
  json_open(s->j, '{');
  json_key(s->j, "executionSuccessful"), json_bool(s->j, true);
  json_key(s->j, "toolExecutionNotifications"), json_open(s->j, '[');
  for (vec_each(i, &s->r->incomplete)) {
    const FindingGap *g = &s->r->incomplete.at[i];
    FindingFrame at = {.file = g->file, .line = g->line};
    Bytes m = {0};
    json_open(s->j, '{');
    text_field(s, "level", "warning");
    put(&m, "Incomplete: "), put_escaped(&m, g->text);
    open_message(s, &m);
    json_key(s->j, "locations"), json_open(s->j, '[');
    if (g->file) json_open(s->j, '{'), put_location_fields(s, &at), json_close(s->j, '}');
    json_close(s->j, ']');
    json_close(s->j, '}');
  }
  json_close(s->j, ']');
  json_close(s->j, '}');
  json_close(s->j, ']');
}

static void put_results(const Sarif *s, const Intern *rules) {
  uint64_t *prints = fingerprints(s->r);
  json_key(s->j, "results"), json_open(s->j, '[');
  for (vec_each(i, &s->r->findings)) {
    const Finding *f = &s->r->findings.at[i];
    put_result(s, f, prints[i], intern_find(rules, f->rule, strlen(f->rule)));
  }
  json_close(s->j, ']');
  mem_free(prints);
}

static void put_checked(const Sarif *s) {
  Bytes said = {0};
  Counts c = counts_of(s->r);
  json_key(s->j, "properties"), json_open(s->j, '{');
  text_field(s, "program", s->r->program);
  text_field(s, "sigma", s->r->sigma);
  json_key(s->j, "pairs"), json_number(s->j, s->r->pairs);
  json_key(s->j, "schedules"), json_number(s->j, s->r->schedules.len);
  json_key(s->j, "scheduledShare"), json_share(s->j, s->r->scheduled_share);
  json_key(s->j, "unfinishedThreads"), json_number(s->j, s->r->unfinished);
  if (!(c.fresh + c.known)) put_clean(s->r, &said), json_key(s->j, "verdict"), json_bytes(s->j, &said);
  json_close(s->j, '}');
  vec_free(&said);
}

void finding_sarif(const Report *r, Bytes *out, const FindingOptions *o) {
  static const FindingOptions none = {0};
  Json j = {.out = out};
  Sarif s = {r, o ? o : &none, &j};
  Intern *rules = rules_of(r);
  json_open(&j, '{');
  text_field(&s, "$schema",
             "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
  text_field(&s, "version", "2.1.0");
  json_key(&j, "runs"), json_open(&j, '[');
  json_open(&j, '{');
  put_tool(&s, rules);
  put_root(&s);
  text_field(&s, "columnKind", "unicodeCodePoints");
  put_invocation(&s);
  put_results(&s, rules);
  put_checked(&s);
  json_close(&j, '}');
  json_close(&j, ']');
  json_close(&j, '}');
  vec_push(out, '\n');
  intern_free(rules);
}
