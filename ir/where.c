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
  char *text = mem_vformat(fmt, args);
  va_end(args);
  assert(v);
  v = call_strip(v);
  LLVMValueRef f = function_of(v);
  Place p = where(v);
  if (!p.line && f && where(f).line) p = where(f);
  size_t len;
  if (p.file)
    diag(d, kind, p, "%s", text);
  else if (f)
    diag(d, kind, p, "%s (in %s)", text, LLVMGetValueName2(f, &len));
  else
    diag(d, kind, p, "%s (%s)", text, LLVMGetValueName2(v, &len));
  mem_free(text);
}

char *where_name(const char *symbol) {
  char *name = gap_demangle(symbol), *copy = mem_string(name);
  free(name);
  return copy;
}
