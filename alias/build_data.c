// Initial values of global variables. Elements of long arrays are not told apart: tables of ten thousand
// strings would otherwise be ten thousand places.
#include "build.h"
#include <assert.h>

typedef struct {
  Build *b;
  uint32_t object;
} Data;

static uint32_t node_at(const Data *d, Spot at) {
  Build *b = d->b;
  uint32_t spot = spots_id(b->sys->spots, at);
  uint64_t known;
  if (map_get(b->initial, spot, &known)) return (uint32_t)known;
  uint32_t pointer = system_node(b->sys), value = system_node(b->sys);
  system_base(b->sys, pointer, at);
  map_put(b->initial, spot, value);
  system_store(b->sys, pointer, value, 8);
  return value;
}

static void see(const Data *d, LLVMValueRef v, Spot at);

static void see_elements(const Data *d, LLVMValueRef v, Spot at) {
  LLVMTypeRef type = LLVMTypeOf(v);
  unsigned count = (unsigned)LLVMGetNumOperands(v);
  int64_t size = (int64_t)LLVMABISizeOfType(d->b->layout, LLVMGetElementType(type));
  bool together = count > LIMIT_ALIAS_ELEMENTS;
  if (together) at = spot_shift(at, (Shift){0, size, size * (int64_t)count});
  for (unsigned i = 0; i < count; ++i) {
    Spot to = at;
    if (!together) to = spot_shift(at, (Shift){size * (int64_t)i, 0, 0});
    see(d, LLVMGetOperand(v, i), to);
  }
}

static void see_fields(const Data *d, LLVMValueRef v, Spot at) {
  LLVMTypeRef type = LLVMTypeOf(v);
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); ++i) {
    int64_t offset = (int64_t)LLVMOffsetOfElement(d->b->layout, type, i);
    see(d, LLVMGetOperand(v, i), spot_shift(at, (Shift){offset, 0, 0}));
  }
}

static void see(const Data *d, LLVMValueRef v, Spot at) {
  switch (LLVMGetValueKind(v)) {
    case LLVMConstantArrayValueKind:
      see_elements(d, v, at);
      return;
    case LLVMConstantStructValueKind:
      see_fields(d, v, at);
      return;
    case LLVMConstantIntValueKind:
    case LLVMConstantFPValueKind:
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantAggregateZeroValueKind:
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind:
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind:
      return;
    default: {
      uint32_t from = build_value(d->b, v);
      if (from != NODE_NONE) system_edge(d->b->sys, node_at(d, at), from, 0);
    }
  }
}

void build_data(Build *b, LLVMValueRef global) {
  assert(LLVMIsAGlobalVariable(global) && !LLVMIsDeclaration(global));
  Data d = {b, build_object(b, global)};
  see(&d, LLVMGetInitializer(global), (Spot){.object = d.object});
}
