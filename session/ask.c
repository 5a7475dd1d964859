#include "ask.h"
#include <stdlib.h>
#include "cfspec/cfspec.h"
#include "report/report.h"

typedef struct {
  LLVMValueRef inst;
  AliasAccess access;
} Found;
typedef Vec(Found) FoundVec;

// What is printed, as text or as JSON.
typedef struct {
  const Alias *a;
  LLVMModuleRef module;
  Bytes *out;
  Json json;
  bool as_json;
} Print;

static void line(Print *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(Print *p, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  if (!p->as_json) put_shown(p->out, text), bytes_text(p->out, "\n");
  mem_free(text);
}

static const char *kind_word(unsigned kind) {
  if (kind & ALIAS_FREES) return "frees";
  if (kind == (ALIAS_READS | ALIAS_WRITES)) return "reads and writes";
  return kind & ALIAS_WRITES ? "writes" : "reads";
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Of a clone: whose. Activations are the calls of functions that synchronize, in the order of the schedule.
static char *clone_text(LLVMValueRef f) {
  uint32_t thread, activation;
  size_t len;
  if (!cfspec_clone_of(f, &thread, &activation, &len)) return mem_string("");
  const char *name = LLVMGetValueName(f);
  if (activation == UINT32_MAX)
    return mem_format(" in t%u, calls of %.*s that never synchronize", thread, (int)len, name);
  return mem_format(" in t%u, call %u, %.*s", thread, activation, (int)len, name);
}

static char *place_of(LLVMValueRef inst) {
  Place at = where(inst);
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  char *clone = clone_text(f), *text;
  if (at.file && at.line)
    text = mem_format("%s:%u:%u%s", base_name(at.file), at.line, at.column, clone);
  else
    text = where_name(LLVMGetValueName(f));
  mem_free(clone);
  return text;
}

static char *range_text(const AliasRange *r) {
  if (!r->object || (!r->first && !r->stride && r->bytes >= ALIAS_REST)) return mem_string("");
  if (!r->stride) {
    if (r->bytes >= ALIAS_REST) return mem_format(", from byte %lld on", (long long)r->first);
    return mem_format(", bytes %lld to %lld", (long long)r->first, (long long)(r->first + r->bytes - 1));
  }
  if (r->stride == 1) return mem_string(", anywhere in it");
  if (r->end == INT64_MAX)
    return mem_format(", byte %lld of every %lld", (long long)r->first, (long long)r->stride);
  return mem_format(", from byte %lld every %lld to %lld", (long long)r->first, (long long)r->stride,
                    (long long)r->end);
}

static void json_range(Print *p, const AliasRange *r) {
  char *name = alias_name(p->a, r->object);
  json_open(&p->json, '{');
  json_key(&p->json, "object");
  json_text(&p->json, name);
  json_key(&p->json, "id");
  json_number(&p->json, r->object);
  json_key(&p->json, "range");
  char *text = range_text(r);
  json_text(&p->json, *text ? text + 2 : "all");
  json_close(&p->json, '}');
  mem_free(text);
  mem_free(name);
}

// -- accesses of a line

static void tell_no_code(const char *place, const PlaceWanted *want, Diags *d) {
  diag_error(d, "%s: the program has no code at this line", place);
  if (want->column)
    diag_note(d, "%.*s:%u: give the place as FILE:LINE, without a column", (int)want->len, want->file,
              want->line);
  else
    diag_note(d,
              "check that it was compiled with -g and that the file name is the one given to the compiler");
}

static bool collect(Print *p, const char *text, FoundVec *out, Diags *d) {
  PlaceWanted want;
  bool seen = false;
  if (!place_parse(text, &want)) {
    diag_error(d, "%s: not FILE:LINE", text);
    return false;
  }
  for (all_functions(f, p->module))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        if (!place_matches(&want, where(i))) continue;
        seen = true;
        AliasAccesses all = {0};
        alias_accesses(p->a, i, &all);
        for (vec_each(k, &all)) {
          Found one = {i, all.at[k]};
          vec_push(out, one);
        }
        vec_free(&all);
      }
  if (!seen) tell_no_code(text, &want, d);
  if (seen && !out->len) diag_warning(d, "%s does not access memory", text);
  return seen;
}

static void found_free(FoundVec *v) {
  for (vec_each(i, v)) vec_free(&v->at[i].access.ranges);
  vec_free(v);
}

static void show_access(Print *p, const Found *f) {
  char *at = place_of(f->inst);
  line(p, "%s: %s", at, kind_word(f->access.kind));
  if (p->as_json) {
    json_open(&p->json, '{');
    json_key(&p->json, "place");
    json_text(&p->json, at);
    json_key(&p->json, "kind");
    json_text(&p->json, kind_word(f->access.kind));
    json_key(&p->json, "touches");
    json_open(&p->json, '[');
  }
  for (vec_each(i, &f->access.ranges)) {
    const AliasRange *r = &f->access.ranges.at[i];
    char *name = alias_name(p->a, r->object), *text = range_text(r);
    line(p, "  %s%s", name, text);
    if (p->as_json) json_range(p, r);
    mem_free(name);
    mem_free(text);
  }
  if (!f->access.ranges.len) line(p, "  nothing: its address points to no object");
  if (p->as_json) json_close(&p->json, ']'), json_close(&p->json, '}');
  mem_free(at);
}

static void show_accesses(Print *p, const FoundVec *v) {
  if (p->as_json) json_key(&p->json, "accesses"), json_open(&p->json, '[');
  for (vec_each(i, v)) show_access(p, &v->at[i]);
  if (p->as_json) json_close(&p->json, ']');
}

// -- pairs

static LLVMValueRef pointer_of(LLVMValueRef inst) {
  if (LLVMIsALoadInst(inst)) return LLVMGetOperand(inst, 0);
  if (LLVMIsAStoreInst(inst)) return LLVMGetOperand(inst, 1);
  if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst)) return LLVMGetOperand(inst, 0);
  return NULL;
}

static void show_why(Print *p, const Found *f, uint32_t object) {
  LLVMValueRef pointer = pointer_of(f->inst);
  AliasWhy why = {0};
  if (pointer) alias_why(p->a, pointer, object, &why);
  char *at = place_of(f->inst), *name = alias_name(p->a, object);
  if (why.len) line(p, "  how %s gets the address of %s:", at, name);
  if (p->as_json) json_open(&p->json, '[');
  for (vec_each(i, &why)) {
    LLVMValueRef v = why.at[i].value;
    char *place = LLVMIsAArgument(v) ? where_name(LLVMGetValueName(LLVMGetParamParent(v))) : place_of(v);
    const char *v_name = LLVMGetValueName(v);
    char *step = mem_format("%s: it %s%s%s", place, why.at[i].what, *v_name ? " " : "", v_name);
    line(p, "    %s", step);
    if (p->as_json) json_text(&p->json, step);
    mem_free(step);
    mem_free(place);
  }
  if (p->as_json) json_close(&p->json, ']');
  mem_free(at);
  mem_free(name);
  vec_free(&why);
}

static bool common(const Print *p, const Found *x, const Found *y, uint32_t *object) {
  for (vec_each(i, &x->access.ranges))
    for (vec_each(k, &y->access.ranges)) {
      const AliasRange *r = &x->access.ranges.at[i], *s = &y->access.ranges.at[k];
      *object = r->object ? r->object : s->object;
      if (alias_ranges_meet(p->a, r, s)) return true;
    }
  return false;
}

static void log_answer(const Found *x, const Found *y, const char *words, bool meet) {
  if (!decisions_wanted()) return;
  char *other = place_of(y->inst), *what = mem_format("this and the access at %s %s", other, words);
  decided("aliases", where(x->inst), what,
          meet ? "points-to gives both the same bytes" : "points-to gives them no byte in common");
  mem_free(what), mem_free(other);
}

static AliasAnswer answer_of(const Print *p, const Found *x, const Found *y, bool meet) {
  LLVMValueRef a = pointer_of(x->inst), b = pointer_of(y->inst);
  if (!meet) return ALIAS_NO;
  if (!a || !b || !x->access.ranges.len || !y->access.ranges.len) return ALIAS_MAY;
  return alias_query(p->a, a, x->access.ranges.at[0].bytes, NULL, b, y->access.ranges.at[0].bytes, NULL);
}

static void show_pair(Print *p, const Found *x, const Found *y) {
  static const char *const words[] = {"no", "may", "must"};
  static const char *const long_words[] = {"never meet", "may meet", "always start at the same address"};
  uint32_t object = 0;
  bool meet = common(p, x, y, &object);
  AliasAnswer answer = answer_of(p, x, y, meet);
  log_answer(x, y, long_words[answer], meet);
  char *a = place_of(x->inst), *b = place_of(y->inst);
  line(p, "%s (%s) and %s (%s) %s", a, kind_word(x->access.kind), b, kind_word(y->access.kind),
       long_words[answer]);
  if (p->as_json) {
    const char *keys[] = {"first", "second", "answer"}, *values[] = {a, b, words[answer]};
    json_open(&p->json, '{');
    for (int i = 0; i < 3; ++i) json_key(&p->json, keys[i]), json_text(&p->json, values[i]);
    json_key(&p->json, "why");
    json_open(&p->json, '[');
  }
  if (answer != ALIAS_NO) {
    show_why(p, x, object);
    show_why(p, y, object);
  }
  if (p->as_json) json_close(&p->json, ']'), json_close(&p->json, '}');
  mem_free(a);
  mem_free(b);
}

static void show_pairs(Print *p, const FoundVec *x, const FoundVec *y) {
  if (p->as_json) json_key(&p->json, "pairs"), json_open(&p->json, '[');
  for (vec_each(i, x))
    for (vec_each(k, y)) show_pair(p, &x->at[i], &y->at[k]);
  if (p->as_json) json_close(&p->json, ']');
}

static void show_lines(Print *p, const char *const *places, size_t count, Diags *d) {
  FoundVec found[2] = {{0}, {0}};
  bool ok = true;
  for (size_t i = 0; i < count; ++i) ok &= collect(p, places[i], &found[i], d);
  if (ok && count == 1) show_accesses(p, &found[0]);
  if (ok && count == 2) show_pairs(p, &found[0], &found[1]);
  found_free(&found[0]);
  found_free(&found[1]);
}

// -- with values

static void show_meeting(Print *p, const Meeting *m) {
  static const char *const words[] = {"no", "may", "must"};
  static const char *const long_words[] = {"never meet", "may meet", "always meet"};
  line(p, "  %s and %s %s: %s%s", m->first, m->second, long_words[m->answer], m->why,
       m->answer != MEETING_NO && m->ordered ? "; the schedule orders them" : "");
  if (!p->as_json) return;
  const char *keys[] = {"first", "second", "answer", "why"},
             *values[] = {m->first, m->second, words[m->answer], m->why};
  json_open(&p->json, '{');
  for (int i = 0; i < 4; ++i) json_key(&p->json, keys[i]), json_text(&p->json, values[i]);
  json_key(&p->json, "ordered");
  json_bool(&p->json, m->ordered);
  json_close(&p->json, '}');
}

static void show_meetings(Print *p, const Meetings *all) {
  if (!all) return;
  line(p, "with values, on this schedule:");
  if (p->as_json) json_key(&p->json, "values"), json_open(&p->json, '[');
  for (vec_each(i, all)) show_meeting(p, &all->at[i]);
  if (p->as_json) json_close(&p->json, ']');
}

// -- what threads share

typedef Vec(LLVMValueRef) Users;

static Users *find_users(const Print *p) {
  Users *users = mem_array(alias_count(p->a), sizeof *users);
  for (all_functions(f, p->module))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        AliasAccesses all = {0};
        alias_accesses(p->a, i, &all);
        for (vec_each(k, &all))
          for (vec_each(r, &all.at[k].ranges)) {
            Users *u = &users[all.at[k].ranges.at[r].object];
            if (!u->len || vec_last(u) != i) vec_push(u, i);
          }
        alias_accesses_free(&all);
      }
  return users;
}

static char *thread_name(const Print *p, uint32_t t) {
  AliasThread thread = alias_thread(p->a, t);
  if (!t) return mem_string("main");
  if (!thread.start) return mem_string("anything that outside code calls");
  char *start = where_name(LLVMGetValueName(thread.start));
  if (!thread.create) return start;
  char *at = place_of(thread.create);
  char *name = mem_format("%s%s, from %s", thread.many ? "threads of " : "thread of ", start, at);
  mem_free(at), mem_free(start);
  return name;
}

static void show_users(Print *p, uint32_t thread, const Users *users, uint32_t object) {
  Strings told = {0};
  for (vec_each(i, users)) {
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(users->at[i]));
    if (!alias_thread_runs(p->a, thread, f)) continue;
    AliasAccesses all = {0};
    unsigned kind = 0;
    alias_accesses(p->a, users->at[i], &all);
    for (vec_each(k, &all))
      for (vec_each(r, &all.at[k].ranges))
        if (all.at[k].ranges.at[r].object == object) kind |= all.at[k].kind;
    alias_accesses_free(&all);
    char *at = place_of(users->at[i]), *text = mem_format("%s at %s", kind_word(kind), at);
    bool before = false;
    for (vec_each(k, &told)) before |= !strcmp(told.at[k], text);
    mem_free(at);
    if (before) {
      mem_free(text);
      continue;
    }
    line(p, "    %s", text);
    if (p->as_json) json_text(&p->json, text);
    vec_push(&told, text);
  }
  strings_free(&told);
}

static void show_object(Print *p, uint32_t o, const Users *users) {
  char *name = alias_name(p->a, o);
  AliasObject x = alias_object(p->a, o);
  if (x.size >= 0)
    line(p, "%s, %lld bytes", name, (long long)x.size);
  else
    line(p, "%s", name);
  if (p->as_json) {
    json_open(&p->json, '{');
    json_key(&p->json, "object");
    json_text(&p->json, name);
    json_key(&p->json, "id");
    json_number(&p->json, o);
    json_key(&p->json, "outside");
    json_bool(&p->json, x.escaped);
    json_key(&p->json, "threads");
    json_open(&p->json, '[');
  }
  for (uint32_t t = 0; t < alias_threads(p->a); ++t) {
    if (!alias_thread_touches(p->a, t, o)) continue;
    char *thread = thread_name(p, t);
    line(p, "  %s", thread);
    if (p->as_json) {
      json_open(&p->json, '{');
      json_key(&p->json, "thread");
      json_text(&p->json, thread);
      json_key(&p->json, "accesses");
      json_open(&p->json, '[');
    }
    show_users(p, t, users, o);
    if (p->as_json) json_close(&p->json, ']'), json_close(&p->json, '}');
    mem_free(thread);
  }
  if (p->as_json) json_close(&p->json, ']'), json_close(&p->json, '}');
  mem_free(name);
}

static void show_shared(Print *p) {
  Users *users = find_users(p);
  uint32_t count = 0;
  if (p->as_json) json_key(&p->json, "shared"), json_open(&p->json, '[');
  for (uint32_t o = 1; o < alias_count(p->a); ++o) {
    if (!users[o].len || !alias_shared(p->a, o)) continue;
    show_object(p, o, &users[o]);
    count++;
  }
  if (p->as_json) json_close(&p->json, ']');
  line(p, count == 1 ? "%u shared object" : "%u shared objects", count);
  for (uint32_t o = 0; o < alias_count(p->a); ++o) vec_free(&users[o]);
  mem_free(users);
}

bool ask_aliases(LLVMModuleRef m, const AliasOptions *how, const AskAliases *what, Bytes *out, Diags *d) {
  Alias *a = alias_new(m, how, d);
  Print p = {.a = a, .module = m, .out = out, .as_json = what->json};
  p.json.out = out;
  if (p.as_json) {
    json_open(&p.json, '{');
    json_key(&p.json, "version");
    json_number(&p.json, 1);
  }
  show_lines(&p, what->places, what->count, d);
  if (!diags_errors(d)) show_meetings(&p, what->meetings);
  if (what->shared && !diags_errors(d)) show_shared(&p);
  if (p.as_json) json_close(&p.json, '}'), bytes_text(out, "\n");
  alias_free(a);
  return !diags_errors(d);
}
