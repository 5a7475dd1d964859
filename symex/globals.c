// Where global variables are and what they hold when the run begins. The program's declarations are the
// models' definitions of the same name; what nobody defines is there, with contents that nobody knows.
#include <assert.h>
#include "bytecode.h"

static LLVMValueRef model_variable(const Bytecode *c, LLVMValueRef g) {
  size_t len;
  LLVMValueRef other = LLVMGetNamedGlobal(c->modules[1], LLVMGetValueName2(g, &len));
  return other && !LLVMIsDeclaration(other) ? other : NULL;
}

static void place_thread_local(Bytecode *c, LLVMValueRef g, uint64_t size, uint64_t align) {
  c->thread_local_size = (c->thread_local_size + align - 1) & ~(align - 1);
  vec_push(&c->thread_locals, g);
  vec_push(&c->thread_local_at, c->thread_local_size);
  map_put(c->global_at, map_key(g), c->thread_local_size);
  c->thread_local_size += size ? size : 1;
}

static void place(Bytecode *c, LLVMValueRef g, uint64_t index, Diags *diags) {
  LLVMTypeRef t = LLVMGlobalGetValueType(g);
  uint64_t size = LLVMTypeIsSized(t) ? LLVMABISizeOfType(c->layout, t) : 8;
  uint64_t align = LLVMGetAlignment(g);
  if (!align || align & (align - 1)) align = 16;
  if (LLVMIsThreadLocal(g)) {
    place_thread_local(c, g, size, align);
    return;
  }
  uint64_t at = memory_add(&c->start, MEMORY_GLOBAL, size, align, index);
  if (!at) diag_error(diags, "global variables need more memory than the interpreter has");
  map_put(c->global_at, map_key(g), at);
}

void globals_place(Bytecode *c, Diags *diags) {
  uint64_t index = 0;
  for (all_globals(g, c->modules[1]))
    if (!LLVMIsDeclaration(g)) place(c, g, index++, diags);
  c->models_end = c->start.used;
  for (all_globals(g, c->modules[0])) {
    LLVMValueRef model = LLVMIsDeclaration(g) ? model_variable(c, g) : NULL;
    if (model)
      map_put(c->global_at, map_key(g), map_or(c->global_at, map_key(model), 0));
    else
      place(c, g, index++, diags);
  }
  for (all_globals(g, c->modules[1])) {
    size_t len;
    if (!LLVMIsDeclaration(g)) continue;
    LLVMValueRef own = LLVMGetNamedGlobal(c->modules[0], LLVMGetValueName2(g, &len));
    if (own)
      map_put(c->global_at, map_key(g), map_or(c->global_at, map_key(own), 0));
    else
      place(c, g, index++, diags);
  }
}

// Into memory of this process, as the program would have it.
static bool fill_bytes(Bytecode *c, LLVMValueRef v, unsigned char *out, const char **why) {
  LLVMTypeRef t = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v)) return true;
  if (kind == LLVMArrayTypeKind && LLVMIsAConstantDataSequential(v) && LLVMIsConstantString(v)) {
    size_t len;
    const char *text = LLVMGetAsString(v, &len);
    memcpy(out, text, len);
    return true;
  }
  if (kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); ++i)
      if (!fill_bytes(c, LLVMGetAggregateElement(v, i), out + LLVMOffsetOfElement(c->layout, t, i), why))
        return false;
    return true;
  }
  if (kind == LLVMArrayTypeKind) {
    uint64_t n = LLVMGetArrayLength2(t), step = LLVMABISizeOfType(c->layout, LLVMGetElementType(t));
    for (uint64_t i = 0; i < n; ++i)
      if (!fill_bytes(c, LLVMGetAggregateElement(v, (unsigned)i), out + i * step, why)) return false;
    return true;
  }
  const Layout *l = layout_of(c, t);
  if (l->refused) return *why = l->refused, false;
  uint64_t *words = mem_array(l->slots + 1, sizeof *words);
  bool ok = constant_words(c, v, words, why);
  for (uint32_t i = 0; i < l->len && ok; ++i)
    memcpy(out + l->at[i].offset, words + l->at[i].slot, l->at[i].bytes);
  mem_free(words);
  return ok;
}

static bool fill(Bytecode *c, LLVMValueRef g, Diags *diags) {
  uint64_t at = map_or(c->global_at, map_key(g), 0);
  LLVMValueRef value = LLVMGetInitializer(g);
  LLVMTypeRef t = LLVMGlobalGetValueType(g);
  if (!at || !value || LLVMIsThreadLocal(g)) return true;
  uint64_t size = LLVMABISizeOfType(c->layout, t);
  const char *why = NULL;
  bool ok = fill_bytes(c, value, memory_bytes(&c->start, at), &why);
  if (!ok)
    diag_at(diags, DIAG_ERROR, g, "cannot interpret the program: %s is initialized with %s",
            LLVMGetValueName(g), why);
  uint8_t flags = MEMORY_EXISTS | MEMORY_WRITTEN | (LLVMIsGlobalConstant(g) ? MEMORY_CONSTANT : 0);
  memory_flag(&c->start, at, size, flags);
  return ok;
}

bool globals_fill(Bytecode *c, Diags *diags) {
  bool ok = true;
  for (int m = 0; m < 2; ++m)
    for (all_globals(g, c->modules[m]))
      if (!LLVMIsDeclaration(g)) ok &= fill(c, g, diags);
  return ok;
}

// What a thread's own variables begin with, at the place of the thread.
bool globals_fill_thread(Bytecode *c, unsigned char *bytes) {
  const char *why = NULL;
  for (vec_each(i, &c->thread_locals)) {
    LLVMValueRef value = LLVMGetInitializer(c->thread_locals.at[i]);
    if (value && !fill_bytes(c, value, bytes + c->thread_local_at.at[i], &why)) return false;
  }
  return true;
}
