// What stands in memory behind a scanf is one value for all who read it then, whether the conversion took
// place or not. That it is the number of the text is needed only by those who make up other inputs.
#include "scan.h"
#include <ctype.h>

typedef struct {
  Known *v;
  const Code *code;
  const CodeFunction *main;
  Vec(LLVMValueRef) calls;  // of scanf
} Scan;

static const char *name_of(LLVMValueRef inst) {
  LLVMValueRef f = call_is(inst) ? call_function(inst) : NULL;
  size_t len;
  return f && LLVMIsDeclaration(f) ? LLVMGetValueName2(f, &len) : "";
}

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; ++names)
    if (!strcmp(name, *names)) return true;
  return false;
}

static bool is_scan(LLVMValueRef inst) {
  static const char *const names[] = {"scanf", "__isoc99_scanf", "__isoc23_scanf", NULL};
  return is_one_of(name_of(inst), names);
}

// From standard input, maybe.
static bool reads(LLVMValueRef inst) {
  static const char *const names[] = {"read",
                                      "readv",
                                      "fread",
                                      "fread_unlocked",
                                      "fgets",
                                      "fgets_unlocked",
                                      "fgetc",
                                      "fgetc_unlocked",
                                      "getc",
                                      "getc_unlocked",
                                      "getchar",
                                      "getchar_unlocked",
                                      "gets",
                                      "getline",
                                      "getdelim",
                                      "__getdelim",
                                      "fscanf",
                                      "__isoc99_fscanf",
                                      "__isoc23_fscanf",
                                      "vscanf",
                                      "__isoc99_vscanf",
                                      "vfscanf",
                                      "__isoc99_vfscanf",
                                      "ungetc",
                                      "freopen",
                                      "fdopen",
                                      "dup2",
                                      "fseek",
                                      "rewind",
                                      "setvbuf",
                                      "__uflow",
                                      "mmap",
                                      "__read_chk",
                                      "__fread_chk",
                                      "__fgets_chk",
                                      NULL};
  return is_one_of(name_of(inst), names);
}

static bool is_executed(const Scan *s, LLVMValueRef inst) {
  Regions r = {0};
  if (!code_counts(s->code, inst)) return false;
  code_regions(s->code, inst, &r);
  bool is = r.len > 0;
  vec_free(&r);
  return is;
}

// False: something reads that is not looked at here.
static bool find_calls(Scan *s) {
  for (size_t i = 0; i < code_count(s->code); ++i)
    for (all_blocks(b, code_at(s->code, i)->function))
      for (all_insts(k, b)) {
        bool scans = is_scan(k);
        if (!(scans || reads(k)) || !is_executed(s, k)) continue;
        if (!scans || code_at(s->code, i) != s->main) return false;
        vec_push(&s->calls, k);
      }
  return true;
}

static bool runs_once(const Scan *s, LLVMValueRef call) {
  uint32_t b = cfg_of(s->main->cfg, call);
  return loops_of(s->main->loops, b) == LOOP_NONE && loops_irreducible(s->main->loops, b) == LOOP_NONE;
}

// Whenever b is executed, a has been.
static bool is_before(const Scan *s, LLVMValueRef a, LLVMValueRef b) {
  uint32_t x = cfg_of(s->main->cfg, a), y = cfg_of(s->main->cfg, b);
  return x == y ? known_before(s->v, a, b) : dom_of(s->main->dom, x, y);
}

// The one that comes first of those from i on, to place i; false: none of them surely does.
static bool take_first(Scan *s, size_t i) {
  for (size_t k = i; k < s->calls.len; ++k) {
    LLVMValueRef one = s->calls.at[k];
    bool first = runs_once(s, one);
    for (size_t n = i; n < s->calls.len && first; ++n) first = n == k || is_before(s, one, s->calls.at[n]);
    if (!first) continue;
    s->calls.at[k] = s->calls.at[i];
    s->calls.at[i] = one;
    return true;
  }
  return false;
}

static const char *format_of(LLVMValueRef call) {
  LLVMValueRef x = LLVMGetOperand(call, 0);
  LLVMValueRef text = LLVMIsAGlobalVariable(x) && LLVMIsGlobalConstant(x) ? LLVMGetInitializer(x) : NULL;
  size_t len;
  const char *at = text && LLVMIsConstantString(text) ? LLVMGetAsString(text, &len) : NULL;
  return at && len && strlen(at) == len - 1 ? at : NULL;
}

// The width of the next conversion; 0: the end; -1: not understood.
static int conversion(const char **at) {
  while (isspace((unsigned char)**at)) ++*at;
  if (!**at) return 0;
  if (*(*at)++ != '%') return -1;
  int width = 32;
  if (**at == 'l') width = 64, ++*at;
  if (width == 64 && **at == 'l') ++*at;
  return *(*at)++ == 'd' ? width : -1;
}

// False: where the next number begins is not known.
static bool add_numbers(Scan *s, LLVMValueRef call, InputNumbers *out, uint32_t *count) {
  const char *at = format_of(call);
  unsigned operands = LLVMGetNumArgOperands(call);
  for (unsigned i = 1; at; ++i) {
    int width = conversion(&at);
    if (!width) return true;
    if (width < 0 || i >= operands) return false;
    InputNumber n = {.index = (*count)++, .call = call, .scanned = true, .of_int = width == 32};
    Bvs *t = known_terms(s->v);
    n.value = bv_var(t, 64, known_fresh(s->v));
    known_written(s->v, call, LLVMGetOperand(call, i), bv_resize(t, n.value, (unsigned)width, true));
    vec_push(out, n);
  }
  return false;
}

void scan_numbers(Known *v, const Code *c, InputNumbers *out) {
  Scan s = {.v = v, .code = c, .main = code_root(c, 0)};
  uint32_t count = 0;
  if (s.main && find_calls(&s))
    for (size_t i = 0; i < s.calls.len && take_first(&s, i); ++i)
      if (!add_numbers(&s, s.calls.at[i], out, &count)) break;
  vec_free(&s.calls);
}
