// Every value that may carry a pointer gets a node: integers and floats too, for programs copy pointers byte
// by byte and hide them in integers. What arithmetic makes of a pointer in an integer may lie anywhere in the
// object; only a comparison loses it. An integer that no pointer flowed into is taken to be none.
#include "build.h"
#include <assert.h>

static const Shift any_shift = {0, 1, 0};

bool build_is_tracked(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind:
      return false;
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(t) > 1;
    default:
      return true;
  }
}

static int64_t size_of_type(const Build *b, LLVMTypeRef t) {
  return LLVMTypeIsSized(t) ? (int64_t)LLVMABISizeOfType(b->layout, t) : -1;
}

static int64_t bytes_of(const Build *b, LLVMTypeRef t) {
  return LLVMTypeIsSized(t) ? (int64_t)LLVMStoreSizeOfType(b->layout, t) : SPOT_REST;
}

// -- objects

static int64_t alloca_size(const Build *b, LLVMValueRef alloca) {
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  int64_t one = size_of_type(b, LLVMGetAllocatedType(alloca));
  if (!LLVMIsAConstantInt(count) || one < 0) return -1;
  return one * (int64_t)LLVMConstIntGetZExtValue(count);
}

static uint32_t make_object(Build *b, LLVMValueRef v) {
  if (LLVMIsAFunction(v)) return system_object(b->sys, KIND_FUNCTION, v, 0);
  if (LLVMIsAAllocaInst(v)) return system_object(b->sys, KIND_STACK, v, alloca_size(b, v));
  if (LLVMIsAArgument(v)) return system_object(b->sys, KIND_ARGUMENT, v, -1);
  if (!LLVMIsAGlobalVariable(v)) return system_object(b->sys, KIND_HEAP, v, -1);
  int64_t size = size_of_type(b, LLVMGlobalGetValueType(v));
  ObjectKind kind = LLVMIsThreadLocal(v) ? KIND_THREAD_LOCAL : KIND_GLOBAL;
  if (LLVMIsDeclaration(v)) size = -1;
  uint32_t o = system_object(b->sys, kind, v, size);
  const char *name = LLVMGetValueName(v);
  bool kept = LLVMIsDeclaration(v) && (libc_keeps(name) || library_has_variable(name));
  if (build_is_visible(b, v) && !kept) vec_push(&b->sys->escaped, o);
  return o;
}

// A function whose address is used may be called by it. One outside the module then has nodes that carry its
// effects.
static void make_routine(Build *b, LLVMValueRef function, uint32_t object) {
  const Parts *known = build_function(b, function);
  Parts p = *known;
  char *type = signature_of_function(function);
  Routine r = {object,  p.first, p.count, p.extra, p.result, intern_id(b->sys->types, type, strlen(type)),
               function};
  mem_free(type);
  vec_push(&b->sys->routines, r);
  if (!LLVMIsDeclaration(function)) return;
  uint32_t *args = mem_array(p.count + 1, sizeof *args);
  for (uint32_t i = 0; i < p.count; ++i) args[i] = p.first + i;
  args[p.count] = p.extra;
  build_outside(b, function, NULL, args, p.count + 1, p.result);
  mem_free(args);
}

uint32_t build_object(Build *b, LLVMValueRef v) {
  uint64_t known;
  if (map_get(b->objects, map_key(v), &known)) return (uint32_t)known;
  LLVMValueRef first = libc_variable(b->module, v);
  uint32_t o = first != v ? build_object(b, first) : make_object(b, v);
  map_put(b->objects, map_key(v), o);
  if (LLVMIsAFunction(v)) make_routine(b, v, o);
  return o;
}

uint32_t build_pointer(Build *b, uint32_t object) {
  uint32_t n = system_node(b->sys);
  system_base(b->sys, n, (Spot){.object = object});
  return n;
}

const Parts *build_function(Build *b, LLVMValueRef function) {
  assert(LLVMIsAFunction(function));
  uint64_t known;
  if (map_get(b->functions, map_key(function), &known)) return &b->parts.at[known];
  Parts p = {function, b->sys->nodes, LLVMCountParams(function), 0, 0};
  for (uint32_t i = 0; i < p.count + 2; ++i) system_node(b->sys);
  p.extra = p.first + p.count;
  p.result = p.extra + 1;
  map_put(b->functions, map_key(function), b->parts.len);
  vec_push(&b->parts, p);
  return &vec_last(&b->parts);
}

// -- constants

static void add_index(const Build *b, LLVMTypeRef type, LLVMValueRef index, int64_t limit, bool step,
                      Shift *s) {
  int64_t size = size_of_type(b, type);
  if (LLVMIsAConstantInt(index)) {
    int64_t n = LLVMConstIntGetSExtValue(index);
    if (n && (!step || (size == 1 && (n >= 8 || n <= -8)))) s->bytes += n * size;
    if (!n || !step || s->bytes) return;
  }
  if (size <= 0) {
    if (size < 0) *s = any_shift;
    return;
  }
  int64_t a = s->stride, r = size;
  while (a) {
    int64_t t = r % a;
    r = a;
    a = t;
  }
  s->limit = s->stride ? (s->limit && limit ? s->limit + limit : 0) : limit;
  s->stride = r;
}

// The first index steps over elements that lie side by side: how far is not kept apart, for pointers walk so.
// Of bytes, eight and more are taken for a place in a structure; walks by these are found as cycles.
Shift build_shift(const Build *b, LLVMValueRef gep) {
  Shift s = {0, 0, 0};
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned count = (unsigned)LLVMGetNumOperands(gep);
  if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(gep, 0))) != LLVMPointerTypeKind) return any_shift;
  bool stays = b->guess && LLVMIsAInstruction(gep) && b->guess->stays(b->guess->self, gep);
  if (count > 1 && !stays) add_index(b, type, LLVMGetOperand(gep, 1), 0, true, &s);
  for (unsigned i = 2; i < count; ++i) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind) return any_shift;
    if (kind == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      s.bytes += (int64_t)LLVMOffsetOfElement(b->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) return any_shift;
    uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
    type = LLVMGetElementType(type);
    int64_t size = size_of_type(b, type);
    add_index(b, type, index, n > 1 && n < 1u << 30 && size > 0 ? (int64_t)n * size : 0, false, &s);
  }
  return s;
}

static uint32_t join_operands(Build *b, LLVMValueRef v, unsigned first, unsigned count, Shift by) {
  uint32_t n = NODE_NONE, shift = system_shift(b->sys, by);
  for (unsigned i = first; i < first + count; ++i) {
    uint32_t from = build_value(b, LLVMGetOperand(v, i));
    if (from == NODE_NONE) continue;
    if (n == NODE_NONE) n = system_node(b->sys);
    system_edge(b->sys, n, from, shift);
  }
  return n;
}

static uint32_t node_of_expression(Build *b, LLVMValueRef v) {
  unsigned count = (unsigned)LLVMGetNumOperands(v);
  switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr:
      return join_operands(b, v, 0, 1, build_shift(b, v));
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMTrunc:
      return join_operands(b, v, 0, count, (Shift){0, 0, 0});
    default:
      return join_operands(b, v, 0, count, any_shift);
  }
}

// Anywhere in the variables that the linker has put there.
static void reach_linked(Build *b, LLVMValueRef symbol, uint32_t node) {
  for (all_globals(g, b->module))
    if (linked_reaches(symbol, g))
      system_edge(b->sys, node, build_pointer(b, build_object(b, g)), system_shift(b->sys, any_shift));
}

static uint32_t node_of_constant(Build *b, LLVMValueRef v) {
  LLVMValueRef to = call_strip(v);
  if (to != v) return build_value(b, to);
  if (LLVMIsAFunction(v) || LLVMIsAGlobalVariable(v)) {
    uint32_t n = build_pointer(b, build_object(b, v));
    if (linked_is(v)) reach_linked(b, v, n);
    return n;
  }
  if (LLVMIsAGlobalIFunc(v)) {
    LLVMValueRef resolver = LLVMIsAFunction(call_strip(LLVMGetGlobalIFuncResolver(v)));
    return resolver ? build_function(b, resolver)->result : NODE_UNKNOWN;
  }
  switch (LLVMGetValueKind(v)) {
    case LLVMConstantExprValueKind:
      return node_of_expression(b, v);
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantVectorValueKind:
      return join_operands(b, v, 0, (unsigned)LLVMGetNumOperands(v), (Shift){0, 0, 0});
    default:
      return NODE_NONE;  // numbers, null, undefined, the address of a block
  }
}

uint32_t build_result(Build *b, LLVMValueRef v) {
  uint64_t known;
  if (map_get(b->nodes, map_key(v), &known)) return (uint32_t)known;
  uint32_t n = system_node(b->sys);
  map_put(b->nodes, map_key(v), n);
  return n;
}

uint32_t build_value(Build *b, LLVMValueRef v) {
  uint64_t known;
  if (map_get(b->nodes, map_key(v), &known)) return (uint32_t)known;
  if (LLVMIsAInstruction(v) || LLVMIsAArgument(v))
    return build_is_tracked(v) ? build_result(b, v) : NODE_NONE;
  if (!LLVMIsAConstant(v)) return NODE_NONE;
  uint32_t n = node_of_constant(b, v);
  map_put(b->nodes, map_key(v), n);
  return n;
}

// -- instructions

static void copy_operands(Build *b, LLVMValueRef inst, unsigned first, unsigned count, Shift by) {
  uint32_t shift = system_shift(b->sys, by);
  for (unsigned i = first; i < first + count; ++i) {
    LLVMValueRef v = LLVMGetOperand(inst, i);
    uint32_t from = LLVMValueIsBasicBlock(v) ? NODE_NONE : build_value(b, v);
    if (from != NODE_NONE) system_edge(b->sys, build_result(b, inst), from, shift);
  }
}

static void build_alloca(Build *b, LLVMValueRef inst) {
  system_base(b->sys, build_result(b, inst), (Spot){.object = build_object(b, inst)});
  if (fresh_is_variable(inst, b->layout)) map_put(b->variables, map_key(inst), system_node(b->sys));
}

// By its type in the source, what an access reads or writes is a number that is no pointer: what was stored
// as a pointer, or copied from where one is, cannot be read so. NULL: it has none, or is one of bytes.
static bool is_number(const Build *b, LLVMValueRef inst, LLVMTypeRef type) {
  LLVMTypeKind k = LLVMGetTypeKind(type);
  bool small = k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64;
  LLVMValueRef tag = LLVMGetMetadata(inst, b->tbaa), ops[4], names[8];
  if (!tag || (!small && k != LLVMFloatTypeKind && k != LLVMDoubleTypeKind)) return false;
  unsigned count = LLVMGetMDNodeNumOperands(tag), len;
  if (count < 2 || count > 4) return false;
  LLVMGetMDNodeOperands(tag, ops);
  if (!ops[1] || LLVMGetMDNodeNumOperands(ops[1]) > 8 || !LLVMGetMDNodeNumOperands(ops[1])) return false;
  LLVMGetMDNodeOperands(ops[1], names);
  const char *name = names[0] ? LLVMGetMDString(names[0], &len) : NULL;
  return name && !(len == 15 && !memcmp(name, "omnipotent char", 15));
}

static bool is_small(LLVMTypeRef type) {
  LLVMTypeKind k = LLVMGetTypeKind(type);
  return k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind ||
         (k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64);
}

static void build_load(Build *b, LLVMValueRef inst, LLVMValueRef pointer) {
  uint64_t variable;
  build_touch(b, inst, build_value(b, pointer), bytes_of(b, LLVMTypeOf(inst)), TOUCH_READ);
  if (!build_is_tracked(inst) || text_is(inst)) return;
  if (map_get(b->variables, map_key(pointer), &variable))
    system_edge(b->sys, build_result(b, inst), (uint32_t)variable, 0);
  else if (is_number(b, inst, LLVMTypeOf(inst)))
    system_edge(b->sys, build_result(b, inst), b->numbers, 0);
  else
    system_load(b->sys, build_result(b, inst), build_value(b, pointer), bytes_of(b, LLVMTypeOf(inst)));
}

static void store_node(Build *b, LLVMValueRef inst, LLVMValueRef pointer, uint32_t from, int64_t bytes) {
  uint64_t variable;
  build_touch(b, inst, build_value(b, pointer), bytes, TOUCH_WRITE);
  if (map_get(b->variables, map_key(pointer), &variable))
    system_edge(b->sys, (uint32_t)variable, from, 0);
  else
    system_store(b->sys, build_value(b, pointer), from, bytes);
}

// A part of a pointer, as a number, is one still.
static void build_store(Build *b, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef value) {
  bool text = text_is(inst);
  uint32_t from = text ? NODE_NONE : build_value(b, value);
  store_node(b, inst, pointer, from, bytes_of(b, LLVMTypeOf(value)));
  if (from != NODE_NONE && is_small(LLVMTypeOf(value))) system_edge(b->sys, b->numbers, from, 0);
}

static bool is_pointer_cast(LLVMValueRef v) {
  return LLVMIsAPtrToIntInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt);
}

// A pointer is made of two numbers that are not constant, as relative ones are.
static bool is_relative(LLVMValueRef inst) {
  LLVMValueRef sum = LLVMIsAIntToPtrInst(inst) ? LLVMGetOperand(inst, 0) : NULL;
  if (!sum || !LLVMIsABinaryOperator(sum)) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(sum);
  if (op != LLVMAdd && op != LLVMSub && op != LLVMXor) return false;
  return !LLVMIsAConstant(LLVMGetOperand(sum, 0)) && !LLVMIsAConstant(LLVMGetOperand(sum, 1));
}

// Bytes behind a pointer, as many as memory says: what offset pointers do.
static bool is_offset(LLVMValueRef inst) {
  if (!LLVMIsAGetElementPtrInst(inst) || LLVMGetNumOperands(inst) != 2) return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8) return false;
  LLVMValueRef index = LLVMGetOperand(inst, 1);
  while (LLVMIsASExtInst(index) || LLVMIsAZExtInst(index)) index = LLVMGetOperand(index, 0);
  return LLVMIsALoadInst(index);
}

static bool has_opcode(LLVMValueRef v, LLVMOpcode op) {
  if (LLVMIsAInstruction(v)) return LLVMGetInstructionOpcode(v) == op;
  return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == op;
}

static bool is_difference(LLVMValueRef v) {
  while (has_opcode(v, LLVMTrunc)) v = LLVMGetOperand(v, 0);
  return has_opcode(v, LLVMSub) && is_pointer_cast(LLVMGetOperand(v, 0)) &&
         is_pointer_cast(LLVMGetOperand(v, 1));
}

// A difference that is kept in memory; a variable of a function alone does not count.
static bool keeps_difference(LLVMValueRef inst) {
  return LLVMIsAStoreInst(inst) && is_difference(LLVMGetOperand(inst, 0)) &&
         !LLVMIsAAllocaInst(LLVMGetOperand(inst, 1));
}

static bool has_relative(LLVMModuleRef m) {
  bool kept = false, used = false;
  for (all_functions(f, m))
    for (all_blocks(block, f))
      for (all_insts(i, block)) {
        if (is_relative(i)) return true;
        kept |= keeps_difference(i), used |= is_offset(i);
      }
  return kept && used;
}

// How far an operand of arithmetic moves the other one, which may be a pointer.
static Shift shift_by(LLVMValueRef by, bool minus) {
  if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) != 64) return any_shift;
  int64_t n = LLVMConstIntGetSExtValue(by);
  if (n >= LIMIT_ALIAS_OFFSET || n <= -LIMIT_ALIAS_OFFSET) return any_shift;
  return (Shift){minus ? -n : n, 0, 0};
}

// Adding a constant moves the pointer by so much; the difference of two pointers is none, unless some are
// made of differences again.
static void build_arithmetic(Build *b, LLVMValueRef inst, LLVMOpcode op) {
  LLVMValueRef x = LLVMGetOperand(inst, 0), y = LLVMGetOperand(inst, 1);
  if (!build_is_tracked(inst)) return;
  if (op == LLVMSub && is_pointer_cast(x) && is_pointer_cast(y) && !b->relative) return;
  Shift by = op == LLVMAdd || op == LLVMSub ? shift_by(y, op == LLVMSub) : any_shift;
  copy_operands(b, inst, 0, by.stride ? 2 : 1, by);
}

// What is stored is what was there, changed by the operand: a pointer that is moved on, or marked in its low
// bits.
static void build_exchange(Build *b, LLVMValueRef inst) {
  LLVMValueRef pointer = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
  build_load(b, inst, pointer);
  if (op == LLVMAtomicRMWBinOpXchg) {
    build_store(b, inst, pointer, value);
    return;
  }
  bool moves = op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpSub;
  Shift by = moves ? shift_by(value, op == LLVMAtomicRMWBinOpSub) : any_shift;
  uint32_t made = system_node(b->sys), from = build_value(b, value);
  if (build_is_tracked(inst)) system_edge(b->sys, made, build_result(b, inst), system_shift(b->sys, by));
  if (from != NODE_NONE) system_edge(b->sys, made, from, system_shift(b->sys, any_shift));
  store_node(b, inst, pointer, made, bytes_of(b, LLVMTypeOf(value)));
}

static void build_return(Build *b, LLVMValueRef inst) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  if (LLVMGetNumOperands(inst))
    system_edge(b->sys, build_function(b, f)->result, build_value(b, LLVMGetOperand(inst, 0)), 0);
}

static void build_inst(Build *b, LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  switch (op) {
    case LLVMAlloca:
      build_alloca(b, inst);
      break;
    case LLVMLoad:
      build_load(b, inst, LLVMGetOperand(inst, 0));
      break;
    case LLVMStore:
      build_store(b, inst, LLVMGetOperand(inst, 1), LLVMGetOperand(inst, 0));
      break;
    case LLVMAtomicRMW:
      build_exchange(b, inst);
      break;
    case LLVMAtomicCmpXchg:
      build_load(b, inst, LLVMGetOperand(inst, 0));
      build_store(b, inst, LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 2));
      break;
    case LLVMGetElementPtr:
      copy_operands(b, inst, 0, 1, build_shift(b, inst));
      if (b->relative && is_offset(inst)) copy_operands(b, inst, 1, 1, any_shift);
      break;
    case LLVMPHI:
      for (unsigned i = 0; build_is_tracked(inst) && i < LLVMCountIncoming(inst); ++i)
        system_edge(b->sys, build_result(b, inst), build_value(b, LLVMGetIncomingValue(inst, i)), 0);
      break;
    case LLVMSelect:
      if (build_is_tracked(inst)) copy_operands(b, inst, 1, 2, (Shift){0, 0, 0});
      break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFreeze:
    case LLVMUIToFP:  // what goes through a floating-point number comes out again
    case LLVMSIToFP:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
      if (build_is_tracked(inst))
        copy_operands(b, inst, 0, (unsigned)LLVMGetNumOperands(inst), (Shift){0, 0, 0});
      break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
      build_arithmetic(b, inst, op);
      break;
    case LLVMVAArg:
      system_load(b->sys, build_result(b, inst), join_operands(b, inst, 0, 1, any_shift), SPOT_REST);
      copy_operands(b, inst, 0, 1, any_shift);
      break;
    case LLVMLandingPad:
    case LLVMCatchPad:
      if (b->unknown_code) system_edge(b->sys, build_result(b, inst), NODE_UNKNOWN, 0);
      system_load(b->sys, build_result(b, inst),
                  build_thrown(b, LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)), true), 8);
      break;
    case LLVMRet:
      build_return(b, inst);
      break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
      build_call(b, inst);
      break;
    default:  // branches, comparisons, floating-point arithmetic, fences
      break;
  }
}

// -- functions

static bool has_attribute(LLVMValueRef f, unsigned index, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(f, index, kind) != NULL;
}

static int64_t byval_size(const Build *b, LLVMValueRef f, unsigned param) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, param + 1, kind);
  return size_of_type(b, LLVMGetTypeAttributeValue(a));
}

// A parameter passed byval is a copy, which is the callee's own.
static void build_params(Build *b, LLVMValueRef f) {
  Parts p = *build_function(b, f);
  for (uint32_t i = 0; i < p.count; ++i) {
    LLVMValueRef param = LLVMGetParam(f, i);
    if (!has_attribute(f, i + 1, "byval")) {
      map_put(b->nodes, map_key(param), p.first + i);
      continue;
    }
    uint32_t o = build_object(b, param);
    b->sys->sizes.at[o] = byval_size(b, f, i);
    uint32_t copy = build_pointer(b, o);
    map_put(b->nodes, map_key(param), copy);
    system_move(b->sys, copy, p.first + i, b->sys->sizes.at[o] > 0 ? b->sys->sizes.at[o] : 0);
  }
}

bool build_is_visible(const Build *b, LLVMValueRef global) {
  if (LLVMIsDeclaration(global)) return !LLVMIsAFunction(global);
  LLVMLinkage l = LLVMGetLinkage(global);
  if (l == LLVMInternalLinkage || l == LLVMPrivateLinkage || l == LLVMAvailableExternallyLinkage)
    return false;
  return b->open;
}

// Main and what runs before it: a number, the arguments, the environment.
static void take_arguments(Build *b, LLVMValueRef f) {
  Parts p = *build_function(b, f);
  for (uint32_t i = 1; i < p.count; ++i) system_edge(b->sys, p.first + i, b->arguments, 0);
}

static void see_entries(Build *b) {
  for (all_functions(f, b->module)) {
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    if (LLVMIsDeclaration(f)) continue;
    if (build_is_visible(b, f) || library_replaced(name)) vec_push(&b->sys->escaped, build_object(b, f));
    if (!strcmp(name, "main")) take_arguments(b, f);
  }
  Mentions *first = mentions_new(false);
  startup_functions(b->module, first);
  for (size_t i = 0; i < mentions_count(first); ++i)
    if (!LLVMIsDeclaration(mentions_at(first, i))) take_arguments(b, mentions_at(first, i));
  mentions_free(first);
  for (all_globals(g, b->module)) {
    size_t len;
    const char *name = LLVMGetValueName2(g, &len);
    if (strncmp(name, "llvm.", 5)) continue;
    if (!strcmp(name, "llvm.global_ctors") || !strcmp(name, "llvm.global_dtors")) continue;
    LLVMValueRef list = LLVMGetInitializer(g);
    if (list && build_value(b, list) != NODE_NONE) vec_push(&b->sys->escapes, build_value(b, list));
  }
}

// What is passed beyond the parameters lies in an array that va_start makes known (build_call.c).
static void build_varargs(Build *b, LLVMValueRef f) {
  if (!LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f))) return;
  uint32_t extra = build_function(b, f)->extra, n = system_node(b->sys);
  uint32_t o = system_object(b->sys, KIND_VARARGS, f, -1);
  system_base(b->sys, n, (Spot){o, 0, 8, SPOT_OPEN});
  system_store(b->sys, n, extra, 8);
  map_put(b->varargs, map_key(f), n);
}

static void see_body(Build *b, LLVMValueRef f) {
  build_params(b, f);
  build_varargs(b, f);
  for (all_blocks(block, f))
    for (all_insts(i, block))
      if (LLVMIsAAllocaInst(i)) build_alloca(b, i);
  for (all_blocks(block, f))
    for (all_insts(i, block))
      if (!LLVMIsAAllocaInst(i)) build_inst(b, i);
}

// Objects that summaries name, and the strings that main is given.
static void make_hidden(Build *b, uint32_t *node, const char *name) {
  LLVMValueRef variable = libc_named(b->module, name);
  if (variable) {
    *node = build_pointer(b, build_object(b, variable));
    return;
  }
  uint32_t o = system_object(b->sys, KIND_HIDDEN, NULL, -1);
  b->sys->objects.at[o].name = name;
  *node = build_pointer(b, o);
}

static uint32_t named_node(Build *b, const char *name) {
  for (size_t i = 0; i < summaries_named(b->summaries); ++i)
    if (!strcmp(summaries_name(b->summaries, i), name)) return b->named[i];
  uint32_t n;
  make_hidden(b, &n, name);
  return n;
}

// Code of one thread keeps its exceptions to itself, but for what tells all of them.
uint32_t build_thrown(Build *b, LLVMValueRef function, bool catches) {
  uint32_t thread, both = system_node(b->sys);
  uint64_t own;
  if (!b->owner || !b->owner(function, &thread)) {
    if (catches) return b->thrown_any;
    system_edge(b->sys, both, b->thrown_any, 0);
    system_edge(b->sys, both, b->thrown, 0);
    return both;
  }
  if (!map_get(b->thrown_by, thread, &own)) {
    uint32_t made;
    make_hidden(b, &made, "thrown");
    map_put(b->thrown_by, thread, own = made);
  }
  system_edge(b->sys, both, (uint32_t)own, 0);
  system_edge(b->sys, both, catches ? b->thrown : b->thrown_any, 0);
  return both;
}

// Functions outside of which nothing is known, or by which one comes to such.
static bool has_unknown_code(const Build *b) {
  for (all_functions(f, b->module)) {
    Summary what;
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    bool used = LLVMGetFirstUse(f) && strncmp(name, "llvm.", 5);
    if (!LLVMIsDeclaration(f) || !used) continue;
    if (!summaries_find(b->summaries, name, &what)) return true;
    for (size_t i = 0; i < what.len; ++i)
      if (what.at[i].kind == DO_RETURN && what.at[i].value.kind == VALUE_UNKNOWN) return true;
  }
  return b->open;
}

// What the program's start puts into variables of the C library: its streams, and what main is given.
static void fill_libc(Build *b, uint32_t strings) {
  static const char *const streams[] = {"stdin", "stdout", "stderr"};
  static const char *const files[] = {"_IO_2_1_stdin_", "_IO_2_1_stdout_", "_IO_2_1_stderr_"};
  for (size_t i = 0; i < sizeof streams / sizeof *streams; ++i)
    system_store(b->sys, named_node(b, streams[i]), named_node(b, files[i]), 8);
  system_store(b->sys, named_node(b, "environ"), b->arguments, 8);
  system_store(b->sys, named_node(b, "program_invocation_name"), strings, 8);
  system_store(b->sys, named_node(b, "program_invocation_short_name"), strings, 8);
}

static void make_all_hidden(Build *b) {
  size_t count = summaries_named(b->summaries);
  b->named = mem_array(count, sizeof *b->named);
  for (size_t i = 0; i < count; ++i) make_hidden(b, &b->named[i], summaries_name(b->summaries, i));
  make_hidden(b, &b->thrown_any, "thrown");
  b->unknown_code = has_unknown_code(b);
  b->ended = named_node(b, "ended"), b->thrown = named_node(b, "thrown"), b->mapped = named_node(b, "mapped");
  b->arguments = named_node(b, "argv");
  uint32_t elements = system_node(b->sys), strings;
  make_hidden(b, &strings, "strings of argv");
  system_edge(b->sys, elements, b->arguments, system_shift(b->sys, (Shift){0, 8, 0}));
  system_store(b->sys, elements, strings, 8);
  fill_libc(b, strings);
}

static void add_touch(Build *b, LLVMValueRef at, uint32_t node, int64_t bytes, TouchKind kind, bool locked) {
  assert(at && kind && bytes >= 0);
  uint64_t last = map_or(b->touched, map_key(at), 0);
  Touch t = {node, (uint32_t)last, bytes ? bytes : SPOT_REST, kind, locked};
  if (node == NODE_NONE) return;
  vec_push(&b->touches, t);
  map_put(b->touched, map_key(at), b->touches.len);
  set_add(&b->sys->queried, node);
}

void build_touch(Build *b, LLVMValueRef at, uint32_t node, int64_t bytes, TouchKind kind) {
  add_touch(b, at, node, bytes, kind, false);
}

void build_touch_locked(Build *b, LLVMValueRef at, uint32_t node, int64_t bytes, TouchKind kind) {
  add_touch(b, at, node, bytes, kind, true);
}

static void queried_nodes(Build *b) {
  for (all_functions(f, b->module))
    for (all_blocks(block, f))
      for (all_insts(i, block)) {
        uint64_t n;
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind && map_get(b->nodes, map_key(i), &n))
          set_add(&b->sys->queried, (uint32_t)n);
      }
}

void build_system(Build *b) {
  b->fresh = fresh_new(b->module, b->summaries);
  b->relative = has_relative(b->module);
  Map **maps[] = {&b->nodes,         &b->objects, &b->variables, &b->functions, &b->initial,
                  &b->unknown,       &b->varargs, &b->wrappers,  &b->others,    &b->fresh_nodes,
                  &b->library_nodes, &b->touched, &b->reached,   &b->thrown_by};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) *maps[i] = map_new();
  b->numbers = system_node(b->sys);
  b->tbaa = LLVMGetMDKindIDInContext(LLVMGetModuleContext(b->module), "tbaa", 4);
  make_all_hidden(b);
  for (all_functions(f, b->module)) build_function(b, f);
  for (all_globals(g, b->module)) build_object(b, g);
  see_entries(b);
  for (all_functions(f, b->module))
    if (!LLVMIsDeclaration(f) && !(b->guess && b->guess->skips(b->guess->self, f))) see_body(b, f);
  for (all_globals(g, b->module)) {
    size_t len;
    if (!LLVMIsDeclaration(g) && strncmp(LLVMGetValueName2(g, &len), "llvm.", 5)) build_data(b, g);
  }
  queried_nodes(b);
  system_finish(b->sys);
  CHECKED(build_check(b));
}

static void check_parts(const Build *b) {
  assert(map_count(b->functions) == b->parts.len);
  for (vec_each(i, &b->parts)) {
    const Parts *p = &b->parts.at[i];
    assert(map_or(b->functions, map_key(p->function), NODE_NONE) == i);
    assert(p->extra == p->first + p->count && p->result == p->extra + 1 && p->result < b->sys->nodes);
  }
}

// Of a function whose address is used, the routine has the nodes of the function.
static void check_routines(const Build *b) {
  for (vec_each(i, &b->sys->routines)) {
    const Routine *r = &b->sys->routines.at[i];
    const Parts *p = &b->parts.at[map_or(b->functions, map_key(r->function), 0)];
    assert(p->function == r->function && p->first == r->first && p->result == r->result);
    assert(map_or(b->objects, map_key(r->function), NODE_NONE) == r->object);
  }
}

void build_check(const Build *b) {
  check_parts(b);
  check_routines(b);
  for (vec_each(o, &b->sys->objects)) {
    ObjectKind kind = b->sys->objects.at[o].kind;
    bool found = kind == KIND_GLOBAL || kind == KIND_THREAD_LOCAL || kind == KIND_FUNCTION ||
                 kind == KIND_STACK || kind == KIND_ARGUMENT;
    assert(!found || map_or(b->objects, map_key(b->sys->objects.at[o].value), NODE_NONE) == o);
    assert(kind != KIND_FUNCTION || b->sys->routine_of[o] != NODE_NONE);
  }
  for (vec_each(i, &b->touches)) {
    const Touch *t = &b->touches.at[i];
    assert(t->node < b->sys->nodes && set_has(&b->sys->queried, t->node) && t->before <= i);
    assert(t->bytes > 0 && t->kind && t->kind <= (TOUCH_READ | TOUCH_WRITE | TOUCH_FREE));
  }
  for (size_t i = 0; i < summaries_named(b->summaries); ++i) assert(b->named[i] < b->sys->nodes);
  assert(b->ended && b->thrown && b->arguments && b->arguments < b->sys->nodes);
}

void build_free(Build *b) {
  Map *maps[] = {b->nodes,         b->objects, b->variables, b->functions, b->initial,
                 b->unknown,       b->varargs, b->wrappers,  b->others,    b->fresh_nodes,
                 b->library_nodes, b->touched, b->reached,   b->thrown_by};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) map_free(maps[i]);
  vec_free(&b->parts);
  vec_free(&b->touches);
  mem_free(b->named);
  fresh_free(b->fresh);
}
