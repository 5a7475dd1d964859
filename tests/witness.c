// witness APP SIGMA SCHEDULE A B: prints a witness of two accesses, each THREAD.INDEX:FILE:LINE:r or w[:N]:
// the segment, and the Nth access (from 0) of that kind on the line to what is no local variable.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/record.h"

static LLVMModuleRef module_of(const char *app, App *a, LLVMContextRef c, Diags *d) {
  assert(app_read(app, a, d));
  return module_parse(c, span_of(a->module.at, a->module.len), app, d);
}

static Strings names;  // of instructions
static const char *name_of(LLVMValueRef inst) {
  vec_push(&names, inst_name(inst));
  return vec_last(&names);
}

static bool is_local(const AccessOf *a) {
  return LLVMIsAAllocaInst(a->at[0].address) != NULL;
}

static LLVMValueRef access_on(LLVMModuleRef m, const char *file, unsigned line, bool writes, unsigned n,
                              AccessOf *of) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        Place p = where(i);
        if (!p.file || p.line != line || strcmp(file_base(p.file), file)) continue;
        if (access_of(i, writes, of) && !is_local(of) && !n--) return i;
      }
  return NULL;
}

static WitnessSide side(LLVMModuleRef m, char *text) {
  unsigned thread, index, line, n = 0;
  char file[256], kind;
  int got = sscanf(text, "%u.%u:%255[^:]:%u:%c:%u", &thread, &index, file, &line, &kind, &n);
  assert(got >= 5);
  AccessOf of;
  LLVMValueRef i = access_on(m, file, line, kind == 'w', n, &of);
  if (!i) fprintf(stderr, "no access %s\n", text), exit(2);
  Place p = where(i);
  return (WitnessSide){
      .segment = {thread, index},
      .name = name_of(i),
      .writes = kind == 'w',
      .bytes = of.at[0].size || of.at[0].bytes > UINT32_MAX ? SIGMA_NONE : (uint32_t)of.at[0].bytes,
      .file = file_base(p.file),
      .line = p.line,
      .column = p.column};
}

static const char *routine_of(const Sigma *s, const Schedule *c, uint32_t thread) {
  for (vec_each(i, &c->events))
    if (c->events.at[i].kind == SYNC_ENTER && c->events.at[i].thread == thread)
      return sigma_text(s, c->events.at[i].other);
  return "main";
}

static bool access_in(LLVMValueRef f, WitnessSide *w) {
  AccessOf of;
  for (all_blocks(b, f))
    for (all_insts(i, b))
      for (int writes = 0; writes < 2; ++writes) {
        if (!access_of(i, writes, &of) || is_local(&of)) continue;
        w->name = name_of(i);
        w->writes = writes;
        w->bytes = SIGMA_NONE;
        return true;
      }
  return false;
}

static bool any_access(LLVMModuleRef m, const char *function, WitnessSide *w) {
  LLVMValueRef routine = LLVMGetNamedFunction(m, function);
  if (routine && access_in(routine, w)) return true;
  for (all_functions(f, m))
    if (access_in(f, w)) return true;
  return false;
}

static bool runs_in(const Order *o, Segment s) {
  const Event *e = &order_schedule(o)->events.at[segment_begin(o, s)];
  return e->kind != SYNC_EXIT && e->phase != EVENT_ARRIVE;
}

// The pair of segments whose beginnings are the latest.
static Sigma *late(const Sigma *s, const Order *o, LLVMModuleRef m, Diags *d) {
  const Schedule *c = order_schedule(o);
  WitnessSide best[2];
  uint64_t score = 0;
  for (uint32_t t = 0; t < c->threads; ++t)
    for (uint32_t u = t + 1; u < c->threads; ++u) {
      WitnessSide a = {.segment.thread = t}, b = {.segment.thread = u};
      if (!any_access(m, routine_of(s, c, t), &a) || !any_access(m, routine_of(s, c, u), &b)) continue;
      for (a.segment.index = 1; a.segment.index <= order_count(o, t); ++a.segment.index)
        for (b.segment.index = 1; b.segment.index <= order_count(o, u); ++b.segment.index) {
          uint64_t now = segment_begin(o, a.segment) + UINT64_C(1) + segment_begin(o, b.segment);
          if (now <= score || !runs_in(o, a.segment) || !runs_in(o, b.segment)) continue;
          if (!may_interfere(o, a.segment, b.segment, b.segment)) continue;
          score = now, best[0] = a, best[1] = b;
        }
    }
  return score ? witness_make(o, best[0], best[1], d) : NULL;
}

int main(int argc, char **argv) {
  assert(argc == 6 || argc == 5);
  Diags *d = diags_new();
  App app = {0};
  LLVMContextRef context = module_context(d);
  LLVMModuleRef m = module_of(argv[1], &app, context, d);
  Sigma *s = sigma_read(argv[2], d);
  Order *o = s ? order_new(s, (uint32_t)atoi(argv[3]), d) : NULL;
  assert(m && o);
  Sigma *w = argc == 5 ? late(s, o, m, d) : witness_make(o, side(m, argv[4]), side(m, argv[5]), d);
  diags_print(d, stderr, "witness");
  Bytes out = {0};
  if (w) {
    sigma_print(w, &out);
    fwrite(out.at, 1, out.len, stdout);
  }
  vec_free(&out);
  bool made = w != NULL;
  sigma_free(w);
  order_free(o);
  sigma_free(s);
  diags_free(d);
  app_free(&app);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
  strings_free(&names);
  return made ? 0 : 1;
}
