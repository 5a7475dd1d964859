#include "assembly.h"
#include <assert.h>

typedef struct {
  LLVMModuleRef m;
  bool idle;     // nothing but words that touch no memory
  bool behind;   // it dereferences something
  bool unknown;  // a way to memory that is no operand's
} Text;

// These touch no memory, whatever the constraints say for the sake of the order around them.
static const char *const idle[] = {"align", "balign", "cpuid",  "lfence", "mfence",    "nop",    "p2align",
                                   "pause", "rdtsc",  "rdtscp", "rep",    "serialize", "sfence", "xgetbv"};
// Of the thread, the program, the stack, the system; and ways to code.
static const char *const beyond[] = {"bl",    "blr",    "br",    "ebp",     "esp",     "fs",   "gs",   "int",
                                     "leave", "pop",    "popf",  "popfq",   "popl",    "popq", "popw", "push",
                                     "pushf", "pushfq", "pushl", "pushq",   "pushw",   "rbp",  "ret",  "retl",
                                     "retq",  "rip",    "rsp",   "syscall", "sysenter"};
static const char *const begin_beyond[] = {"call", "enter", "jmp"};
// Beginnings of instructions that go by registers which stand nowhere in the text.
static const char *const strings[] = {"clzero", "cmps", "ins",  "lods", "maskmov",
                                      "movs",   "outs", "scas", "stos", "xlat"};

typedef struct {
  const char *at;
  size_t len;
} Word;

#define ENTRIES(list) list, sizeof list / sizeof *list
static bool is_one_of(Word w, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(list[i]) == w.len && !memcmp(list[i], w.at, w.len)) return true;
  return false;
}

static bool begins_as(Word w, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(list[i]) <= w.len && !memcmp(list[i], w.at, strlen(list[i]))) return true;
  return false;
}

static bool is_symbol(LLVMModuleRef m, Word w) {
  char *name = mem_format("%.*s", (int)w.len, w.at);
  bool is = LLVMGetNamedGlobal(m, name) || LLVMGetNamedFunction(m, name) ||
            LLVMGetNamedGlobalAlias(m, name, w.len) || LLVMGetNamedGlobalIFunc(m, name, w.len);
  mem_free(name);
  return is;
}

static void take_word(Text *t, Word w) {
  while (w.len && *w.at == '.') ++w.at, --w.len;  // a directive
  if (!w.len || (*w.at >= '0' && *w.at <= '9')) return;
  t->idle &= is_one_of(w, ENTRIES(idle));
  t->behind |= begins_as(w, ENTRIES(strings));
  t->unknown |= is_one_of(w, ENTRIES(beyond)) || begins_as(w, ENTRIES(begin_beyond)) || is_symbol(t->m, w);
}

static bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static Text read_text(LLVMModuleRef m, const char *text, size_t len) {
  Text t = {.m = m, .idle = true};
  for (size_t i = 0; i < len;) {
    size_t from = i;
    while (i < len && is_of_word(text[i])) ++i;
    take_word(&t, (Word){text + from, i - from});
    if (i == len) break;
    t.behind |= text[i] == '(' || text[i] == '[';
    ++i;
  }
  return t;
}

void assembly_symbols(LLVMModuleRef m, LLVMValueRef call, AsmSymbols *out) {
  assert(call_is(call) && call_is_asm(call));
  size_t len;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
  for (size_t i = 0; i < len; ++i) {
    size_t from = i;
    while (i < len && is_of_word(text[i])) ++i;
    if (from == i) continue;
    char *name = mem_format("%.*s", (int)(i - from), text + from);
    LLVMValueRef v = LLVMGetNamedGlobal(m, name);
    if (!v) v = LLVMGetNamedFunction(m, name);
    if (!v) v = LLVMGetNamedGlobalAlias(m, name, i - from);
    if (v) vec_push(out, v);
    mem_free(name);
  }
}

AsmEffect assembly_effect(LLVMModuleRef m, LLVMValueRef call) {
  assert(call_is(call) && call_is_asm(call));
  size_t len, rules_len;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *code = LLVMGetInlineAsmAsmString(callee, &len);
  const char *rules = LLVMGetInlineAsmConstraintString(callee, &rules_len);
  Text t = read_text(m, code, len);
  if (memmem(rules, rules_len, "~{memory}", 9)) return t.idle ? ASM_VALUES : ASM_ANYTHING;
  if (t.unknown) return ASM_ANYTHING;
  return t.behind || memchr(rules, '*', rules_len) ? ASM_BEHIND : ASM_VALUES;
}

bool assembly_places(LLVMModuleRef m) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        size_t len;
        if (!call_is(i) || !call_is_asm(i)) continue;
        const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &len);
        if (memmem(text, len, "section", 7)) return true;
      }
  return false;
}
