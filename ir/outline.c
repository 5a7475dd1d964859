#include "outline.h"
#include <assert.h>
#include "attribute.h"
#include "call.h"
#include "each.h"
#include "llvm_gap.h"
#include "rehome.h"
#include "variables.h"

// What the function returns: the exit, if there are several, then the values that are used behind it.
typedef struct {
  bool which;
  IdVec outs;  // instructions, by number
  LLVMTypeRef type;
} Result;

typedef struct {
  const Family *family;
  const LoopRegion *region;  // the first
  LLVMContextRef c;
  LLVMBuilderRef b;
  LLVMValueRef old, made;  // functions
  Map *values;             // of the first, here; blocks too
  Rehome places;
  Result result;
  ValueVec locals;  // by parameter: what stands for memory of the frame; NULL
  size_t hole;      // the next
} Writer;

static LLVMValueRef function_of(const LoopRegion *r) {
  return LLVMGetBasicBlockParent(r->before);
}

static Result result_of(const Family *f) {
  const LoopRegion *r = &f->members.at[0];
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(r->instructions.at[0]));
  Result result = {.which = r->exits.len > 1};
  Vec(LLVMTypeRef) types = {0};
  if (result.which) vec_push(&types, LLVMInt32TypeInContext(c));
  for (vec_each(i, &r->instructions)) {
    if (!f->out[i]) continue;
    vec_push(&result.outs, (uint32_t)i);
    vec_push(&types, LLVMTypeOf(r->instructions.at[i]));
  }
  result.type = !types.len       ? LLVMVoidTypeInContext(c)
                : types.len == 1 ? types.at[0]
                                 : LLVMStructTypeInContext(c, types.at, (unsigned)types.len, 0);
  vec_free(&types);
  return result;
}

// What is true of a part of the code if it is of the whole. Our own notes are about clones.
static void copy_attributes(LLVMValueRef from, LLVMValueRef to) {
  static const char *const kept[] = {"nounwind",
                                     "uwtable",
                                     "mustprogress",
                                     "strictfp",
                                     "sspstrong",
                                     "sspreq",
                                     "null_pointer_is_valid",
                                     "noredzone",
                                     "nocf_check",
                                     "ssp",
                                     "minsize",
                                     "optsize",
                                     "sanitize_address"};
  unsigned n = LLVMGetAttributeCountAtIndex(from, LLVMAttributeFunctionIndex), len;
  LLVMAttributeRef *all = mem_array(n + 1, sizeof *all);
  LLVMGetAttributesAtIndex(from, LLVMAttributeFunctionIndex, all);
  for (unsigned i = 0; i < n; ++i) {
    bool take = LLVMIsStringAttribute(all[i]) &&
                strncmp(LLVMGetStringAttributeKind(all[i], &len), "specialize", 10) != 0;
    for (size_t k = 0; !take && LLVMIsEnumAttribute(all[i]) && k < sizeof kept / sizeof *kept; ++k)
      take = LLVMGetEnumAttributeKind(all[i]) == LLVMGetEnumAttributeKindForName(kept[k], strlen(kept[k]));
    if (take) LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, all[i]);
  }
  mem_free(all);
  attribute_set(to, "noinline", true);
  if (LLVMHasPersonalityFn(from)) LLVMSetPersonalityFn(to, LLVMGetPersonalityFn(from));
}

static void promise(Writer *w, uint32_t p, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(w->made, p + 1, LLVMCreateEnumAttribute(w->c, kind, value));
}

static void declare(Writer *w, const char *name) {
  const Holes *h = &w->family->holes;
  Vec(LLVMTypeRef) types = {0};
  for (vec_each(p, &h->hole)) vec_push(&types, LLVMTypeOf(h->first.at[h->hole.at[p]]));
  LLVMModuleRef m = LLVMGetGlobalParent(w->old);
  LLVMTypeRef type = LLVMFunctionType(w->result.type, types.at, (unsigned)types.len, 0);
  w->made = LLVMAddFunction(m, name, type);
  LLVMSetLinkage(w->made, LLVMInternalLinkage);
  copy_attributes(w->old, w->made);
  for (uint32_t p = 0; p < h->hole.len; ++p) {
    if (h->frame.at[p] == FRAME_NONE) continue;
    promise(w, p, "noalias", 0), promise(w, p, "nocapture", 0);
  }
  vec_free(&types);
}

// Memory of the frame, and then what debuggers know of variables.
static void write_entry(Writer *w) {
  const Holes *h = &w->family->holes;
  for (uint32_t p = 0; p < h->hole.len; ++p) {
    LLVMValueRef v = LLVMGetParam(w->made, p), old = h->first.at[h->hole.at[p]], local = NULL;
    if (h->frame.at[p] == FRAME_VALUE) {
      LLVMTypeRef type = LLVMGetAllocatedType(old);
      local = LLVMBuildAlloca(w->b, type, "");
      LLVMSetAlignment(local, LLVMGetAlignment(old));
    }
    vec_push(&w->locals, local);
    if (!LLVMIsAConstant(old)) map_put(w->values, map_key(old), map_key(local ? local : v));
  }
  for (uint32_t p = 0; p < h->hole.len; ++p) {
    if (!w->locals.at[p]) continue;
    LLVMTypeRef type = LLVMGetAllocatedType(w->locals.at[p]);
    LLVMBuildStore(w->b, LLVMBuildLoad2(w->b, type, LLVMGetParam(w->made, p), ""), w->locals.at[p]);
  }
}

static LLVMValueRef made_of(const Writer *w, LLVMValueRef old) {
  return (LLVMValueRef)(uintptr_t)map_or(w->values, map_key(old), 0);
}

static LLVMBasicBlockRef block_of(const Writer *w, LLVMBasicBlockRef old) {
  uint64_t known = map_or(w->values, map_key(old), 0);
  assert(known);
  return (LLVMBasicBlockRef)(uintptr_t)known;
}

static LLVMValueRef moved_value(void *writer, LLVMValueRef old) {
  return made_of(writer, old);
}

static LLVMMetadataRef moved_place(void *writer, LLVMMetadataRef old) {
  Writer *w = writer;
  return rehome_place(&w->places, old);
}

static void fix_metadata(Writer *w, LLVMValueRef old, LLVMValueRef made) {
  static const char *const scoped[] = {"alias.scope", "noalias"};
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(old);
  LLVMInstructionSetDebugLoc(made, place ? rehome_place(&w->places, place) : NULL);
  if (!LLVMHasMetadata(made)) return;
  for (size_t i = 0; i < 2 && w->family->unscoped; ++i) {
    unsigned kind = LLVMGetMDKindIDInContext(w->c, scoped[i], (unsigned)strlen(scoped[i]));
    if (LLVMGetMetadata(made, kind)) LLVMSetMetadata(made, kind, NULL);
  }
  unsigned loop = LLVMGetMDKindIDInContext(w->c, "llvm.loop", 9);
  LLVMValueRef node = LLVMIsATerminatorInst(made) ? LLVMGetMetadata(made, loop) : NULL;
  if (node) LLVMSetMetadata(made, loop, rehome_loop(&w->places, node));
}

// Of phis all operands come later: what they name may not be there yet.
static void write_instruction(Writer *w, LLVMValueRef old) {
  LLVMValueRef made;
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  if (LLVMIsAPHINode(old)) {
    made = LLVMBuildPhi(w->b, LLVMTypeOf(old), "");
    if (LLVMCanValueUseFastMathFlags(old)) LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(old));
  } else {
    made = LLVMInstructionClone(old);
    LLVMInsertIntoBuilder(w->b, made);
  }
  map_put(w->values, map_key(old), map_key(made));
  fix_metadata(w, old, made);
}

// In the order of holes.
static LLVMValueRef operand_of(Writer *w, LLVMValueRef old, unsigned n) {
  const Holes *h = &w->family->holes;
  LLVMValueRef v = LLVMGetOperand(old, n);
  if (!family_is_hole(w->family->ids, old, n)) {
    LLVMValueRef mine = LLVMIsAInstruction(v) ? made_of(w, v) : v;
    assert(mine);
    return mine;
  }
  uint32_t p = h->parameter.at[w->hole++];
  if (p == FAMILY_CONSTANT) return v;
  return w->locals.at[p] ? w->locals.at[p] : LLVMGetParam(w->made, p);
}

static void link_instruction(Writer *w, LLVMValueRef old, LLVMBasicBlockRef entry) {
  LLVMValueRef made = made_of(w, old);
  for (unsigned n = 0, count = (unsigned)LLVMGetNumOperands(old); n < count; ++n) {
    LLVMValueRef was = LLVMGetOperand(old, n);
    if (LLVMValueIsBasicBlock(was)) continue;
    LLVMValueRef v = operand_of(w, old, n);
    if (LLVMIsAPHINode(old)) {
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, n);
      from = from == w->region->before ? entry : block_of(w, from);
      LLVMAddIncoming(made, &v, &from, 1);
    } else if (v != was) {
      LLVMSetOperand(made, n, v);
    }
  }
  if (!LLVMIsATerminatorInst(made)) return;
  for (unsigned n = 0; n < LLVMGetNumSuccessors(made); ++n)
    LLVMSetSuccessor(made, n, block_of(w, LLVMGetSuccessor(old, n)));
}

// A value that does not reach an exit is not used behind it.
static bool reaches(const Cfg *c, const Dom *d, LLVMValueRef value, LLVMBasicBlockRef exit) {
  uint32_t from = cfg_of(c, value), to = cfg_id(c, exit);
  if (LLVMIsAInvokeInst(value)) return dom_edge(d, from, cfg_id(c, LLVMGetNormalDest(value)), to);
  return dom_of(d, from, to);
}

static LLVMValueRef result_at(Writer *w, const Cfg *c, const Dom *d, uint32_t exit) {
  const Result *r = &w->result;
  LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b);
  ValueVec parts = {0};
  if (r->which) vec_push(&parts, LLVMConstInt(LLVMInt32TypeInContext(w->c), exit, 0));
  for (vec_each(i, &r->outs)) {
    LLVMValueRef v = made_of(w, w->region->instructions.at[r->outs.at[i]]);
    vec_push(&parts, reaches(c, d, v, at) ? v : LLVMGetPoison(LLVMTypeOf(v)));
  }
  LLVMValueRef all = parts.len == 1 ? parts.at[0] : LLVMGetPoison(r->type);
  for (size_t i = 0; i < parts.len && parts.len > 1; ++i)
    all = LLVMBuildInsertValue(w->b, all, parts.at[i], (unsigned)i, "");
  vec_free(&parts);
  return all;
}

static void write_back(Writer *w) {
  for (uint32_t p = 0; p < w->locals.len; ++p) {
    LLVMValueRef local = w->locals.at[p];
    if (!local) continue;
    LLVMValueRef v = LLVMBuildLoad2(w->b, LLVMGetAllocatedType(local), local, "");
    LLVMBuildStore(w->b, v, LLVMGetParam(w->made, p));
  }
}

// The blocks end in `unreachable` until it is known which values reach them.
static void write_exits(Writer *w) {
  Cfg *c = cfg_new(w->made);
  Dom *d = dom_new(c);
  LLVMSetCurrentDebugLocation2(w->b, w->places.root);
  for (vec_each(i, &w->region->exits)) {
    LLVMBasicBlockRef exit = block_of(w, w->region->exits.at[i]);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(exit));
    LLVMPositionBuilderAtEnd(w->b, exit);
    write_back(w);
    if (LLVMGetTypeKind(w->result.type) == LLVMVoidTypeKind)
      LLVMBuildRetVoid(w->b);
    else
      LLVMBuildRet(w->b, result_at(w, c, d, (uint32_t)i));
  }
  dom_free(d), cfg_free(c);
}

static void add_block(Writer *w, LLVMBasicBlockRef old) {
  map_put(w->values, map_key(old), map_key(LLVMAppendBasicBlockInContext(w->c, w->made, "")));
}

static void write_code(Writer *w, LLVMBasicBlockRef entry) {
  const LoopRegion *r = w->region;
  for (vec_each(i, &r->blocks)) add_block(w, r->blocks.at[i]);
  for (vec_each(i, &r->exits)) add_block(w, r->exits.at[i]);
  LLVMBuildBr(w->b, block_of(w, r->blocks.at[0]));
  for (vec_each(i, &r->instructions)) {
    LLVMValueRef old = r->instructions.at[i];
    LLVMPositionBuilderAtEnd(w->b, block_of(w, LLVMGetInstructionParent(old)));
    write_instruction(w, old);
  }
  for (vec_each(i, &r->exits)) {
    LLVMPositionBuilderAtEnd(w->b, block_of(w, r->exits.at[i]));
    LLVMSetCurrentDebugLocation2(w->b, NULL);
    LLVMBuildUnreachable(w->b);
  }
  for (vec_each(i, &r->instructions)) link_instruction(w, r->instructions.at[i], entry);
  assert(w->hole == w->family->holes.first.len);
}

static void write_variables(Writer *w, LLVMBasicBlockRef entry) {
  VariablesMove frame = {w, moved_value, moved_place, false, false};
  VariablesMove before = {w, moved_value, moved_place, true, w->family->members.len > 1};
  VariablesMove inside = {w, moved_value, moved_place, true, w->family->unlike};
  LLVMValueRef to = LLVMGetBasicBlockTerminator(entry);
  if (!w->places.root) return;
  variables_frame(LLVMGetEntryBasicBlock(w->old), to, &frame);
  variables_before(w->region->before, to, &before);
  for (vec_each(i, &w->region->instructions)) {
    LLVMValueRef old = w->region->instructions.at[i];
    if (!LLVMIsAPHINode(old)) variables_copy(old, made_of(w, old), &inside);
  }
}

LLVMValueRef outline_write(const Family *f, const char *name, LLVMDIBuilderRef debug) {
  Writer w = {.family = f, .region = &f->members.at[0], .values = map_new()};
  w.old = function_of(w.region);
  w.c = LLVMGetModuleContext(LLVMGetGlobalParent(w.old));
  w.b = LLVMCreateBuilderInContext(w.c);
  w.result = result_of(f);
  declare(&w, name);
  LLVMMetadataRef sub = LLVMGetSubprogram(w.old);
  w.places = (Rehome){.context = w.c};
  if (sub) w.places.root = rehome_function(debug, sub, w.made, name, strlen(name));
  rehome_begin(&w.places);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(w.c, w.made, "");
  LLVMPositionBuilderAtEnd(w.b, entry);
  LLVMSetCurrentDebugLocation2(w.b, NULL);
  write_entry(&w);
  write_code(&w, entry);
  write_variables(&w, entry);
  write_exits(&w);
  rehome_end(&w.places);
  map_free(w.values);
  vec_free(&w.locals), vec_free(&w.result.outs);
  LLVMDisposeBuilder(w.b);
  return w.made;
}

// -- in the place of a member

static LLVMValueRef build_call(LLVMBuilderRef b, const Family *f, const LoopRegion *r, LLVMValueRef to) {
  ValueVec holes = {0}, args = {0};
  family_fill(r, &holes);
  for (vec_each(p, &f->holes.hole)) vec_push(&args, holes.at[f->holes.hole.at[p]]);
  LLVMMetadataRef sub = LLVMGetSubprogram(function_of(r));
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(to));
  LLVMSetCurrentDebugLocation2(
      b, sub ? LLVMDIBuilderCreateDebugLocation(c, LLVMDISubprogramGetLine(sub), 0, sub, NULL) : NULL);
  LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(to), to, args.at, (unsigned)args.len, "");
  vec_free(&holes), vec_free(&args);
  return call;
}

static LLVMValueRef part_of(LLVMBuilderRef b, LLVMValueRef call, size_t parts, size_t i) {
  return parts == 1 ? call : LLVMBuildExtractValue(b, call, (unsigned)i, "");
}

static void go_on(LLVMBuilderRef b, const LoopRegion *r, LLVMValueRef which) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(r->before))));
  if (!r->exits.len) LLVMBuildUnreachable(b);
  if (r->exits.len == 1) LLVMBuildBr(b, r->exits.at[0]);
  if (r->exits.len < 2) return;
  LLVMValueRef to = LLVMBuildSwitch(b, which, r->exits.at[0], (unsigned)r->exits.len);
  for (size_t i = 1; i < r->exits.len; ++i) LLVMAddCase(to, LLVMConstInt(i32, i, 0), r->exits.at[i]);
}

static void exchange(LLVMBuilderRef b, const Family *f, const LoopRegion *r, const Result *result,
                     LLVMValueRef function) {
  size_t parts = result->outs.len + result->which;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(r->before);
  LLVMPositionBuilderBefore(b, end);
  LLVMValueRef call = build_call(b, f, r, function);
  for (vec_each(i, &result->outs))
    LLVMReplaceAllUsesWith(r->instructions.at[result->outs.at[i]],
                           part_of(b, call, parts, i + result->which));
  LLVMValueRef which = result->which ? part_of(b, call, parts, 0) : NULL;
  LLVMInstructionEraseFromParent(end);
  LLVMPositionBuilderAtEnd(b, r->before);
  go_on(b, r, which);
  for (vec_each(i, &r->exits))
    for (LLVMValueRef phi; LLVMIsAPHINode(phi = LLVMGetFirstInstruction(r->exits.at[i]));) {
      if (LLVMGetFirstUse(phi)) LLVMReplaceAllUsesWith(phi, LLVMGetPoison(LLVMTypeOf(phi)));
      LLVMInstructionEraseFromParent(phi);
    }
  gap_delete_blocks(r->blocks.at, r->blocks.len);
}

void outline_calls(const Family *f, LLVMValueRef function) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  Result result = result_of(f);
  for (vec_each(i, &f->members)) exchange(b, f, &f->members.at[i], &result, function);
  vec_free(&result.outs);
  LLVMDisposeBuilder(b);
}
