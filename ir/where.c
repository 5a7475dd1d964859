#include "where.h"
#include <assert.h>
#include <stdlib.h>
#include "call.h"
#include "llvm_gap.h"
#include "core/core.h"

Place where(LLVMValueRef v) {
  Place p = {NULL, 0, 0};
  bool inst = LLVMIsAInstruction(v) != NULL;
  if (!inst && !LLVMIsAFunction(v) && !LLVMIsAGlobalVariable(v)) return p;
  unsigned len;
  p.file = LLVMGetDebugLocFilename(v, &len);  // a metadata string: LLVM ends these with a NUL
  if (!len) p.file = NULL;
  if (p.file) p.line = LLVMGetDebugLocLine(v);
  if (p.file && inst) p.column = LLVMGetDebugLocColumn(v);
  return p;
}

static LLVMValueRef function_of(LLVMValueRef v) {
  if (LLVMIsAFunction(v)) return v;
  if (LLVMIsAArgument(v)) return LLVMGetParamParent(v);
  LLVMBasicBlockRef b = NULL;
  if (LLVMValueIsBasicBlock(v)) b = LLVMValueAsBasicBlock(v);
  if (LLVMIsAInstruction(v)) b = LLVMGetInstructionParent(v);
  return b ? LLVMGetBasicBlockParent(b) : NULL;
}

void diag_at(Diags *d, DiagKind kind, LLVMValueRef v, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *raw = mem_vformat(fmt, args), *text = where_names(raw);
  va_end(args);
  mem_free(raw);
  assert(v);
  v = call_strip(v);
  LLVMValueRef f = function_of(v);
  Place p = where(v);
  if (!p.line && f && where(f).line) p = where(f);
  char *around = p.file ? NULL : where_name(LLVMGetValueName(f ? f : v));
  if (p.file)
    diag(d, kind, p, "%s", text);
  else
    diag(d, kind, p, f ? "%s (in %s)" : "%s (%s)", text, around);
  mem_free(text), mem_free(around);
}

char *where_name(const char *symbol) {
  char *name = gap_demangle(symbol), *copy = mem_string(name);
  free(name);
  return copy;
}

static size_t symbol_bytes(const char *s) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
  return strspn(s, letters);
}

char *where_names(const char *text) {
  Bytes out = {0};
  while (*text) {
    size_t len = symbol_bytes(text);
    if (len > 2 && !strncmp(text, "_Z", 2)) {
      while (text[len - 1] == '.') --len;  // the end of a sentence
      char *symbol = mem_format("%.*s", (int)len, text), *name = where_name(symbol);
      bytes_text(&out, name);
      mem_free(symbol), mem_free(name);
    } else {
      len += !len;
      vec_append(&out, (const unsigned char *)text, len);
    }
    text += len;
  }
  vec_push(&out, 0);
  char *all = mem_string((const char *)out.at);
  vec_free(&out);
  return all;
}
