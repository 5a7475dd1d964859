// symex/compile -- inside symex/: one function on its way to our instructions.
#pragma once
#include "bytecode.h"

typedef struct {
  Bytecode *c;
  const CodeSync *s;
  LLVMValueRef function;
  uint32_t id;
  Map *slot, *local, *block;  // of values; offsets of variables in the frame, and one; blocks
  uint32_t slots;
  uint64_t frame;
  Vec(uint64_t) constants;
  Map *constant_slot;
  LLVMValueRef at;      // what is being compiled
  const char *refused;  // why it cannot be
  Vec(uint32_t) edges;  // whose targets are blocks until all have pcs
} Compiler;

#define SLOT_NONE UINT32_MAX

Inst *emit(Compiler *k, Op op);
uint32_t slot_of(Compiler *k, LLVMValueRef v);  // the first of its row; 0 after k->refused
uint32_t slots_new(Compiler *k, uint32_t count);
uint32_t slot_constant(Compiler *k, uint64_t word);
uint32_t edge_to(Compiler *k, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void refuse(Compiler *k, const char *why);
const Layout *layout_of_value(Compiler *k, LLVMValueRef v);
// The variable of this frame that an address surely lies in, with room for `size` bytes.
bool local_offset(Compiler *k, LLVMValueRef v, uint64_t size, uint64_t *offset);
uint64_t mask_of(unsigned bits);

void compile_arithmetic(Compiler *k, LLVMValueRef i);
void compile_memory(Compiler *k, LLVMValueRef i);
void compile_flow(Compiler *k, LLVMValueRef i);
void compile_call(Compiler *k, LLVMValueRef i);
bool compile_intrinsic(Compiler *k, LLVMValueRef i, const char *name);
