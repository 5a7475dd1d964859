#include "alike.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include "llvm_gap.h"
#include "rehome.h"

static bool rename_scope(Alike *c, LLVMValueRef a, LLVMValueRef b) {
  uint64_t to = map_or(c->scope, map_key(a), map_key(b)), from = map_or(c->back, map_key(b), map_key(a));
  map_put(c->scope, map_key(a), map_key(b)), map_put(c->back, map_key(b), map_key(a));
  return to == map_key(b) && from == map_key(a);
}

static LLVMValueRef *operands_of(LLVMValueRef node, unsigned *n) {
  *n = LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *all = mem_array(*n + 1, sizeof *all);
  LLVMGetMDNodeOperands(node, all);
  return all;
}

// The domain is the second part of a scope.
static bool same_scopes(Alike *c, LLVMValueRef a, LLVMValueRef b) {
  unsigned n, m, parts;
  LLVMValueRef *x = operands_of(a, &n), *y = operands_of(b, &m);
  bool same = n == m;
  for (unsigned i = 0; same && i < n; ++i) {
    LLVMValueRef *s = operands_of(x[i], &parts), *t = operands_of(y[i], &parts);
    same = parts > 1 && rename_scope(c, x[i], y[i]) && rename_scope(c, s[1], t[1]);
    mem_free(s), mem_free(t);
  }
  mem_free(x), mem_free(y);
  return same;
}

static bool is_place(LLVMValueRef part) {
  return part && LLVMGetMetadataKind(LLVMValueAsMetadata(part)) == LLVMDILocationMetadataKind;
}

static bool same_loop(LLVMValueRef a, LLVMValueRef b) {
  unsigned n, m;
  LLVMValueRef *x = operands_of(a, &n), *y = operands_of(b, &m);
  bool same = n == m;
  for (unsigned i = 1; same && i < n; ++i) same = x[i] == y[i] || (is_place(x[i]) && is_place(y[i]));
  mem_free(x), mem_free(y);
  return same;
}

static bool same_entry(Alike *c, unsigned kind, LLVMValueRef a, LLVMValueRef b) {
  if (kind == c->place) return true;  // LLVM-C lists the place too, whatever its name says
  if (kind == c->scopes || kind == c->noalias) {
    if (!same_scopes(c, a, b)) c->renamed = false;
    return true;
  }
  return a == b || (kind == c->loop && same_loop(a, b));
}

static bool same_metadata(Alike *c, LLVMValueRef a, LLVMValueRef b) {
  if (!LLVMHasMetadata(a) && !LLVMHasMetadata(b)) return true;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a));
  size_t n, m;
  LLVMValueMetadataEntry *x = LLVMInstructionGetAllMetadataOtherThanDebugLoc(a, &n),
                         *y = LLVMInstructionGetAllMetadataOtherThanDebugLoc(b, &m);
  bool same = n == m;
  for (unsigned i = 0; same && i < n; ++i) {
    unsigned kind = LLVMValueMetadataEntriesGetKind(x, i);
    same = kind == LLVMValueMetadataEntriesGetKind(y, i) &&
           same_entry(c, kind, LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(x, i)),
                      LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(y, i)));
  }
  LLVMDisposeValueMetadataEntries(x), LLVMDisposeValueMetadataEntries(y);
  return same;
}

static bool same_block(const Alike *c, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
  return map_or(c->a_ids, map_key(a), 0) == map_or(c->b_ids, map_key(b), 0);
}

static bool same_incoming(const Alike *c, LLVMValueRef a, LLVMValueRef b) {
  for (unsigned n = 0, count = LLVMCountIncoming(a); n < count; ++n)
    if (!same_block(c, LLVMGetIncomingBlock(a, n), LLVMGetIncomingBlock(b, n))) return false;
  return true;
}

static bool same_operand(const Alike *c, LLVMValueRef a, LLVMValueRef b, unsigned n) {
  LLVMValueRef x = LLVMGetOperand(a, n), y = LLVMGetOperand(b, n);
  if (LLVMValueIsBasicBlock(x))
    return LLVMValueIsBasicBlock(y) && same_block(c, LLVMValueAsBasicBlock(x), LLVMValueAsBasicBlock(y));
  bool hole = family_is_hole(c->a_ids, a, n);
  if (hole != family_is_hole(c->b_ids, b, n)) return false;
  uint64_t id = map_or(c->a_ids, map_key(x), 0);
  return hole || (id ? id == map_or(c->b_ids, map_key(y), 0) : x == y);
}

bool alike_instructions(Alike *c, LLVMValueRef a, LLVMValueRef b) {
  if (!gap_same_operation(a, b) || !same_metadata(c, a, b)) return false;
  if (!rehome_same(LLVMInstructionGetDebugLoc(a), LLVMInstructionGetDebugLoc(b))) return false;
  if (LLVMIsAPHINode(a) && !same_incoming(c, a, b)) return false;
  for (unsigned n = 0, count = (unsigned)LLVMGetNumOperands(a); n < count; ++n)
    if (!same_operand(c, a, b, n)) return false;
  return true;
}

static unsigned kind_of(LLVMContextRef c, const char *name) {
  return LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
}

Alike alike_begin(LLVMContextRef context, const Map *a_ids, const Map *b_ids) {
  Alike c = {.a_ids = a_ids, .b_ids = b_ids, .scope = map_new(), .back = map_new(), .renamed = true};
  c.place = kind_of(context, "dbg"), c.loop = kind_of(context, "llvm.loop");
  c.scopes = kind_of(context, "alias.scope"), c.noalias = kind_of(context, "noalias");
  return c;
}

void alike_end(Alike *c) {
  map_free(c->scope), map_free(c->back);
}
