#include "attribute.h"
#include <assert.h>
#include <string.h>
#include "call.h"
#include "core/core.h"

static unsigned kind_of(const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  assert(kind);  // LLVM knows the name
  return kind;
}
static LLVMAttributeRef made(LLVMValueRef v, const char *name) {
  LLVMValueRef f = LLVMIsAFunction(v) ? v : LLVMGetBasicBlockParent(LLVMGetInstructionParent(v));
  return LLVMCreateEnumAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)), kind_of(name), 0);
}

bool attribute_has(LLVMValueRef f, const char *name) {
  assert(LLVMIsAFunction(f));
  return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(name)) != NULL;
}
void attribute_set(LLVMValueRef f, const char *name, bool on) {
  assert(LLVMIsAFunction(f));
  if (on)
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, made(f, name));
  else
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind_of(name));
}

bool attribute_call_has(LLVMValueRef call, const char *name) {
  assert(call_is(call));
  return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind_of(name)) != NULL;
}
void attribute_call_add(LLVMValueRef call, const char *name) {
  assert(call_is(call));
  LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, made(call, name));
}

void attribute_call_note(LLVMValueRef call, const char *name, const char *text) {
  assert(call_is(call));
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
  unsigned n = (unsigned)strlen(name), len = (unsigned)strlen(text);
  LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                           LLVMCreateStringAttribute(c, name, n, text, len));
}
const char *attribute_call_noted(LLVMValueRef call, const char *name, unsigned *len) {
  assert(call_is(call));
  LLVMAttributeRef a =
      LLVMGetCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
  return a ? LLVMGetStringAttributeValue(a, len) : NULL;
}

void attribute_note(LLVMValueRef f, const char *name, const char *text) {
  assert(LLVMIsAFunction(f));
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  unsigned n = (unsigned)strlen(name), len = (unsigned)strlen(text);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateStringAttribute(c, name, n, text, len));
}
const char *attribute_noted(LLVMValueRef f, const char *name, unsigned *len) {
  assert(LLVMIsAFunction(f));
  LLVMAttributeRef a =
      LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
  return a ? LLVMGetStringAttributeValue(a, len) : NULL;
}

void attributes_copy(LLVMValueRef from, LLVMValueRef to) {
  unsigned params = LLVMCountParams(from);
  assert(LLVMCountParams(to) >= params);
  LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(from));
  for (unsigned i = 0; i <= params + 1; ++i) {
    unsigned at = i > params ? (unsigned)LLVMAttributeFunctionIndex : i;
    unsigned n = LLVMGetAttributeCountAtIndex(from, at);
    LLVMAttributeRef *all = mem_array(n + 1, sizeof *all);
    LLVMGetAttributesAtIndex(from, at, all);
    for (unsigned j = 0; j < n; ++j) LLVMAddAttributeAtIndex(to, at, all[j]);
    mem_free(all);
  }
}
