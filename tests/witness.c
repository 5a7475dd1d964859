// witness APP SIGMA SCHEDULE A B: prints a witness of two accesses, each THREAD.INDEX:FILE:LINE:r or w[:N]:
// the segment, and the Nth access (from 0) of that kind on the line to what is no local variable.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sigma/sigma.h"

static LLVMModuleRef module_of(const char *app, App *a, Diags *d) {
  assert(app_read(app, a, d));
  return module_parse(module_context(d), span_of(a->module.at, a->module.len), app, d);
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
      .name = inst_name(i),
      .writes = kind == 'w',
      .bytes = of.at[0].size || of.at[0].bytes > UINT32_MAX ? SIGMA_NONE : (uint32_t)of.at[0].bytes,
      .file = file_base(p.file),
      .line = p.line,
      .column = p.column};
}

int main(int argc, char **argv) {
  assert(argc == 6);
  Diags *d = diags_new();
  App app = {0};
  LLVMModuleRef m = module_of(argv[1], &app, d);
  Sigma *s = sigma_read(argv[2], d);
  Order *o = s ? order_new(s, (uint32_t)atoi(argv[3]), d) : NULL;
  assert(m && o);
  Sigma *w = witness_make(o, side(m, argv[4]), side(m, argv[5]), d);
  diags_print(d, stderr, "witness");
  if (!w) return 1;
  Bytes out = {0};
  sigma_print(w, &out);
  fwrite(out.at, 1, out.len, stdout);
  vec_free(&out);
  sigma_free(w);
  order_free(o);
  sigma_free(s);
  diags_free(d);
  app_free(&app);
  return 0;
}
