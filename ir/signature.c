#include "signature.h"
#include <assert.h>
#include "attribute.h"
#include "core/core.h"

static const char *letter(LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind:
      return "v";
    case LLVMPointerTypeKind:
      return "i";
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(t) <= 64 ? "i" : NULL;
    case LLVMFloatTypeKind:
      return "f";
    case LLVMDoubleTypeKind:
      return "d";
    default:
      return NULL;
  }
}

static void add_type(Bytes *out, LLVMTypeRef t) {
  if (letter(t)) {
    bytes_text(out, letter(t));
    return;
  }
  char *text = LLVMPrintTypeToString(t);
  for (char *p = text; *p; ++p)
    if (*p == '{' || *p == '}') *p = '|';
  bytes_text(out, "{");
  bytes_text(out, text);
  bytes_text(out, "}");
  LLVMDisposeMessage(text);
}

static char *finish(Bytes *out) {
  bytes_text(out, ")");
  vec_push(out, 0);
  return (char *)out->at;
}

char *signature_of_function(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  Bytes out = {0};
  unsigned len;
  if (attribute_noted(function, SIGNATURE_ANY, &len)) return mem_string("?(.)");
  add_type(&out, LLVMGetReturnType(type));
  bytes_text(&out, "(");
  for (unsigned i = 0; i < LLVMCountParams(function); ++i)
    add_type(&out, LLVMTypeOf(LLVMGetParam(function, i)));
  if (LLVMIsFunctionVarArg(type)) bytes_text(&out, ".");
  return finish(&out);
}

char *signature_of_call(LLVMValueRef call) {
  Bytes out = {0};
  if (LLVMGetFirstUse(call) || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    add_type(&out, LLVMTypeOf(call));
  else
    bytes_text(&out, "?");
  bytes_text(&out, "(");
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i)
    add_type(&out, LLVMTypeOf(LLVMGetOperand(call, i)));
  return finish(&out);
}

static size_t one(const char *s) {
  const char *end = *s == '{' ? strchr(s, '}') : s;
  assert(*s && end);
  return (size_t)(end - s) + 1;
}

static bool same(const char *a, const char *b) {
  return one(a) == one(b) && !memcmp(a, b, one(a));
}

bool signature_fits(const char *call, const char *function) {
  if (*function == '?') return true;
  if (*call != '?' && *call != 'v' && !same(call, function)) return false;
  assert(call[one(call)] == '(' && function[one(function)] == '(');
  call += one(call) + 1;
  function += one(function) + 1;
  while (*function != ')' && *function != '.') {
    if (*call == ')' || !same(call, function)) return false;
    call += one(call);
    function += one(function);
  }
  return true;
}
