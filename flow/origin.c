#include "origin.h"
#include <stdio.h>
#include <llvm-c/DebugInfo.h>

static const char kind[] = "specialize.origin";
enum { SCOPE_SCOPE = 1, SUBPROGRAM_NAME = 2 };  // operands of debug nodes

static unsigned kind_id(LLVMContextRef c) {
  return LLVMGetMDKindIDInContext(c, kind, sizeof kind - 1);
}

static bool touches(LLVMValueRef i) {
  return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
         LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAVAArgInst(i) || call_is(i);
}

static void note(LLVMValueRef call, const char *name, size_t len, unsigned ordinal) {
  char *text = mem_format("%.*s%%%u", (int)len, name, ordinal);
  attribute_call_note(call, kind, text);
  mem_free(text);
}

void origins_mark(LLVMModuleRef m) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
  for (all_functions(f, m)) {
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    LLVMMetadataRef text = LLVMMDStringInContext2(c, name, len);
    unsigned ordinal = 0;
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        if (call_is(i) && call_is_debug(i)) continue;
        unsigned at = ordinal++;
        if (!touches(i)) continue;
        LLVMMetadataRef parts[] = {text, LLVMValueAsMetadata(LLVMConstInt(i32, at, 0))};
        LLVMSetMetadata(i, kind_id(c), LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, parts, 2)));
        if (call_is(i)) note(i, name, len, at);
      }
  }
}

static LLVMContextRef context_of_inst(LLVMValueRef i) {
  return LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
}

char *origin_of(LLVMValueRef inst) {
  LLVMValueRef node = LLVMGetMetadata(inst, kind_id(context_of_inst(inst))), parts[2];
  unsigned len;
  const char *noted = call_is(inst) ? attribute_call_noted(inst, kind, &len) : NULL;
  if (noted) return mem_format("%.*s", (int)len, noted);
  if (!node) return NULL;
  LLVMGetMDNodeOperands(node, parts);
  const char *name = LLVMGetMDString(parts[0], &len);
  return mem_format("%.*s%%%u", (int)len, name, (unsigned)LLVMConstIntGetZExtValue(parts[1]));
}

// The subprogram that a scope is in.
static LLVMValueRef subprogram_of(LLVMContextRef c, LLVMMetadataRef scope) {
  LLVMValueRef node = LLVMMetadataAsValue(c, scope);
  while (LLVMGetMetadataKind(LLVMValueAsMetadata(node)) != LLVMDISubprogramMetadataKind) {
    unsigned n = LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *operands = mem_array(n + 1, sizeof *operands);
    LLVMGetMDNodeOperands(node, operands);
    LLVMValueRef up = n > SCOPE_SCOPE ? operands[SCOPE_SCOPE] : NULL;
    mem_free(operands);
    if (!up) return NULL;
    node = up;
  }
  return node;
}

static const char *name_of(LLVMValueRef subprogram) {
  unsigned n = LLVMGetMDNodeNumOperands(subprogram), len = 0;
  LLVMValueRef *operands = mem_array(n + 1, sizeof *operands);
  LLVMGetMDNodeOperands(subprogram, operands);
  const char *name = operands[SUBPROGRAM_NAME] ? LLVMGetMDString(operands[SUBPROGRAM_NAME], &len) : NULL;
  mem_free(operands);
  return name;
}

// NAME.sS.tT...: a clone, which is no function of the source.
static bool is_clone_name(const char *name) {
  for (const char *p = name; p && (p = strstr(p, ".s")); ++p) {
    unsigned s, t;
    if (sscanf(p, ".s%u.t%u", &s, &t) == 2) return true;
  }
  return false;
}

void origin_stack(LLVMValueRef inst, OriginFrames *out) {
  LLVMContextRef c = context_of_inst(inst);
  unsigned len;
  for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst); at; at = LLVMDILocationGetInlinedAt(at)) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(at);
    LLVMValueRef sub = subprogram_of(c, scope);
    const char *name = sub ? name_of(sub) : NULL;
    if (name && is_clone_name(name)) continue;
    OriginFrame f = {
        .function = name, .line = LLVMDILocationGetLine(at), .column = LLVMDILocationGetColumn(at)};
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    if (file) {
      f.file = LLVMDIFileGetFilename(file, &len);
      f.directory = LLVMDIFileGetDirectory(file, &len);
    }
    vec_push(out, f);
  }
}
