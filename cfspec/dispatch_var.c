// Debug information knows what is static, what is in scope, what is signed; what it does not know, LLVM's
// types say. Of a DINode the C API gives operands: the enums below name their places.
#include "dispatch_var.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>

enum { SCOPE_OF_BLOCK = 1 };  // of a DILexicalBlock
enum { NAME_OF_VARIABLE = 1, TYPE_OF_VARIABLE = 3 };
enum { BASE_OF_TYPE = 3 };  // of derived and composite types
enum {                      // DWARF's tags
  TAG_ENUM = 0x04,
  TAG_TYPEDEF = 0x16,
  TAG_CONST = 0x26,
  TAG_BASE = 0x24,
  TAG_VOLATILE = 0x35,
  TAG_RESTRICT = 0x37,
  TAG_ATOMIC = 0x47
};

typedef struct {
  LLVMValueRef memory;      // global variable, or alloca
  const char *name, *file;  // file NULL: a local
  LLVMMetadataRef type;
  uint32_t far;  // of what is inside main: how many blocks out; UINT32_MAX: not in scope
  bool inside;   // a static variable of a function
} Named;

struct Variables {
  LLVMModuleRef m;
  LLVMContextRef c;
  const DispatchPlace *place;
  Vec(Named) globals, locals;
};

static LLVMMetadataRef operand(LLVMContextRef c, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef v = LLVMMetadataAsValue(c, node);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  if (i >= n) return NULL;
  LLVMValueRef *at = mem_array(n, sizeof *at);
  LLVMGetMDNodeOperands(v, at);
  LLVMMetadataRef found = at[i] ? LLVMValueAsMetadata(at[i]) : NULL;
  mem_free(at);
  return found;
}

static const char *text_of(LLVMContextRef c, LLVMMetadataRef string) {
  unsigned len;
  if (!string || LLVMGetMetadataKind(string) != LLVMMDStringMetadataKind) return "";
  return LLVMGetMDString(LLVMMetadataAsValue(c, string), &len);
}

static bool is_block(LLVMMetadataRef scope) {
  unsigned kind = LLVMGetMetadataKind(scope);
  return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
}

// How many blocks around the dispatch point one has to leave to be directly in `scope`.
static uint32_t distance(const Variables *v, LLVMMetadataRef scope) {
  const DispatchPlace *p = v->place;
  if (!p || !p->main || !scope) return UINT32_MAX;
  LLVMMetadataRef at = p->at ? LLVMInstructionGetDebugLoc(p->at) : NULL;
  at = at ? LLVMDILocationGetScope(at) : LLVMGetSubprogram(p->main);
  for (uint32_t far = 0; at; ++far) {
    if (at == scope) return far;
    at = is_block(at) ? operand(v->c, at, SCOPE_OF_BLOCK) : NULL;
  }
  return UINT32_MAX;
}

static void add_global(Variables *v, LLVMValueRef g, LLVMMetadataRef expression) {
  LLVMMetadataRef d = LLVMDIGlobalVariableExpressionGetVariable(expression), scope;
  scope = LLVMDIVariableGetScope(d);
  LLVMMetadataRef file = LLVMDIVariableGetFile(d);
  unsigned len;
  Named n = {.memory = g, .name = text_of(v->c, operand(v->c, d, NAME_OF_VARIABLE)), .file = ""};
  if (file) n.file = LLVMDIFileGetFilename(file, &len);
  n.type = operand(v->c, d, TYPE_OF_VARIABLE);
  n.inside = scope && (is_block(scope) || LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind);
  n.far = distance(v, scope);
  vec_push(&v->globals, n);
}

static void find_globals(Variables *v) {
  unsigned dbg = LLVMGetMDKindIDInContext(v->c, "dbg", 3);
  for (all_globals(g, v->m)) {
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
    for (unsigned i = 0; i < n; ++i)
      if (LLVMValueMetadataEntriesGetKind(all, i) == dbg)
        add_global(v, g, LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
  }
}

static void add_local(Variables *v, LLVMValueRef declare) {
  LLVMValueRef of[1] = {NULL}, address = LLVMGetOperand(declare, 0);
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(declare), d;
  if (LLVMGetMDNodeNumOperands(address) != 1 || (at && LLVMDILocationGetInlinedAt(at))) return;
  LLVMGetMDNodeOperands(address, of);
  d = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
  Named n = {.memory = of[0], .name = text_of(v->c, operand(v->c, d, NAME_OF_VARIABLE))};
  n.type = operand(v->c, d, TYPE_OF_VARIABLE);
  n.far = distance(v, LLVMDIVariableGetScope(d));
  vec_push(&v->locals, n);
}

// Only LLVM's old format shows the C API what declares a variable; it is changed back.
static void find_locals(Variables *v) {
  LLVMBool records = LLVMIsNewDbgInfoFormat(v->m);
  if (records) LLVMSetIsNewDbgInfoFormat(v->m, 0);
  for (all_blocks(b, v->place->main))
    for (all_insts(i, b)) {
      LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
      if (f && !strcmp(LLVMGetValueName(f), "llvm.dbg.declare")) add_local(v, i);
    }
  if (records) LLVMSetIsNewDbgInfoFormat(v->m, 1);
}

Variables *variables_new(LLVMModuleRef m, const DispatchPlace *place) {
  Variables *v = mem_alloc(sizeof *v);
  v->m = m;
  v->c = LLVMGetModuleContext(m);
  v->place = place;
  find_globals(v);
  if (place && place->main) find_locals(v);
  CHECKED(variables_check(v));
  return v;
}

void variables_check(const Variables *v) {
  for (vec_each(i, &v->globals)) {
    const Named *n = &v->globals.at[i];
    assert(n->name && n->file && LLVMIsAGlobalVariable(n->memory));
    assert(LLVMGetGlobalParent(n->memory) == v->m && (n->inside || n->far == UINT32_MAX));
  }
  assert(!v->locals.len || v->place);
  for (vec_each(i, &v->locals)) {
    const Named *n = &v->locals.at[i];
    assert(n->name && !n->file && !n->inside);
    assert(!n->memory || !LLVMIsAInstruction(n->memory) ||
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(n->memory)) == v->place->main);
  }
}

void variables_free(Variables *v) {
  if (!v) return;
  vec_free(&v->globals);
  vec_free(&v->locals);
  mem_free(v);
}

static char *because(const char *why) {
  return mem_string(why);
}

static char *take_local(const Variables *v, const Named *n, Reading *out) {
  if (!n->memory || !LLVMIsAAllocaInst(n->memory))
    return because("main does not keep this variable in memory there");
  for (size_t i = 0; i < v->place->count; ++i)
    if (v->place->locals[i] == n->memory) return out->local = (uint32_t)i, NULL;
  return because("the code after the dispatch point cannot access this variable");
}

// The innermost that is in scope at the dispatch point, static ones of main too. *found NULL: none.
static char *find_local(const Variables *v, const char *name, const Named **found, Reading *out) {
  const Named *best = NULL, *other = NULL;
  for (vec_each(i, &v->locals))
    if (!strcmp(v->locals.at[i].name, name)) {
      const Named *n = &v->locals.at[i];
      if (n->far == UINT32_MAX) other = n;
      if (n->far != UINT32_MAX && (!best || n->far < best->far)) best = n;
    }
  for (vec_each(i, &v->globals)) {
    const Named *n = &v->globals.at[i];
    if (n->inside && n->far != UINT32_MAX && (!best || n->far < best->far) && !strcmp(n->name, name))
      best = n;
  }
  if (!best && other && !LLVMGetNamedGlobal(v->m, name))
    return because("this variable of main is not in scope at the dispatch point");
  *found = best;
  if (best && best->file) return out->global = best->memory, NULL;
  return best ? take_local(v, best, out) : NULL;
}

static bool is_file(const char *path, const char *file, size_t len) {
  size_t n = strlen(path);
  return n >= len && !memcmp(path + n - len, file, len) && (n == len || path[n - len - 1] == '/');
}

// file.c:name. Outside of functions comes first.
static char *find_in_file(const Variables *v, const char *name, const Named **found, Reading *out) {
  const char *colon = strrchr(name, ':');
  assert(colon);
  size_t matches[2] = {0};
  const Named *best[2] = {NULL, NULL};
  for (vec_each(i, &v->globals)) {
    const Named *n = &v->globals.at[i];
    if (strcmp(n->name, colon + 1) || !is_file(n->file, name, (size_t)(colon - name))) continue;
    ++matches[n->inside];
    best[n->inside] = n;
  }
  bool inside = !matches[0];
  if (!matches[inside]) return because("no such variable in a file with this name");
  if (matches[inside] > 1) return because("several variables match; write more of the file's path");
  *found = best[inside];
  out->global = best[inside]->memory;
  return NULL;
}

static bool is_local_linkage(LLVMValueRef g) {
  return LLVMGetLinkage(g) == LLVMInternalLinkage || LLVMGetLinkage(g) == LLVMPrivateLinkage;
}

static char *find_global(const Variables *v, const char *name, const Named **found, Reading *out) {
  LLVMValueRef g = LLVMGetNamedGlobal(v->m, name);
  if (!g && (g = LLVMGetNamedGlobalAlias(v->m, name, strlen(name)))) g = call_strip(g);
  for (vec_each(i, &v->globals)) {
    const Named *n = &v->globals.at[i];
    if (n->memory == g && g) *found = n;
    if (!strcmp(n->name, name) && is_local_linkage(n->memory) && (!g || g == n->memory))
      return mem_format("the variable is static: write %s:%s", n->file, name);
  }
  if (!g || !LLVMIsAGlobalVariable(g))
    return because(v->place ? "no such variable"
                            : "no such global variable (at main's entry only globals are defined)");
  out->global = g;
  return NULL;
}

static char *find(const Variables *v, const char *name, const Named **found, Reading *out) {
  *out = (Reading){0};
  *found = NULL;
  char *why = find_local(v, name, found, out);
  if (why || *found) return why;
  if (strchr(name, ':') && !strstr(name, "::")) return find_in_file(v, name, found, out);
  return find_global(v, name, found, out);
}

Reading reading_of(TermAccess access) {
  assert(access < TERM_ACCESSES && access != TERM_AS_DECLARED);
  static const struct {
    uint8_t how, bits;
    bool is_signed;
  } how[TERM_ACCESSES] = {
      [TERM_AS_INT8] = {READ_INT, 8, true},        [TERM_AS_INT16] = {READ_INT, 16, true},
      [TERM_AS_INT32] = {READ_INT, 32, true},      [TERM_AS_INT64] = {READ_INT, 64, true},
      [TERM_AS_UINT8] = {READ_INT, 8, false},      [TERM_AS_UINT16] = {READ_INT, 16, false},
      [TERM_AS_UINT32] = {READ_INT, 32, false},    [TERM_AS_UINT64] = {READ_INT, 64, false},
      [TERM_AS_FLOAT] = {READ_REAL, 32, false},    [TERM_AS_DOUBLE] = {READ_REAL, 64, false},
      [TERM_AS_STRING] = {READ_POINTER, 0, false},
  };
  return (Reading){
      .how = (ReadHow)how[access].how, .bits = how[access].bits, .is_signed = how[access].is_signed};
}

static LLVMMetadataRef bare_type(const Variables *v, LLVMMetadataRef type) {
  while (type) {
    uint16_t tag = LLVMGetDINodeTag(type);
    if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_RESTRICT &&
        tag != TAG_ATOMIC)
      return type;
    type = operand(v->c, type, BASE_OF_TYPE);
  }
  return NULL;
}

// The C API does not give a basic type's encoding, its text does.
static bool is_encoded(const Variables *v, LLVMMetadataRef type, const char *as) {
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(v->c, type));
  const char *encoding = strstr(text, "encoding: DW_ATE_");
  bool yes = encoding && !strncmp(encoding + strlen("encoding: DW_ATE_"), as, strlen(as));
  LLVMDisposeMessage(text);
  return yes;
}

// As it is declared: an integer, or why not.
static char *declared(const Variables *v, const Named *n, LLVMTypeRef memory, Reading *out) {
  LLVMMetadataRef type = n ? bare_type(v, n->type) : NULL;
  if (type && LLVMGetDINodeTag(type) == TAG_ENUM && operand(v->c, type, BASE_OF_TYPE))
    type = bare_type(v, operand(v->c, type, BASE_OF_TYPE));
  bool integer = LLVMGetTypeKind(memory) == LLVMIntegerTypeKind;
  out->how = READ_INT;
  if (type && LLVMGetDINodeTag(type) == TAG_BASE && !is_encoded(v, type, "float")) {
    out->bits = (unsigned)LLVMDITypeGetSizeInBits(type);
    out->is_signed = is_encoded(v, type, "signed");
  } else if (integer && (!type || LLVMGetDINodeTag(type) == TAG_ENUM)) {
    out->bits = LLVMGetIntTypeWidth(memory);
    out->is_signed = out->guessed = true;
  } else {
    return because("not an integer; give the type to read it as, for example (var x double)");
  }
  if (out->bits == 8 || out->bits == 16 || out->bits == 32 || out->bits == 64) return NULL;
  return mem_format("an integer of %u bits; give the type to read it as, for example (var x uint8)",
                    out->bits);
}

static char *as_text(LLVMTypeRef memory, Reading *out) {
  LLVMTypeKind kind = LLVMGetTypeKind(memory);
  if (kind == LLVMPointerTypeKind) return out->how = READ_POINTER, out->bits = 64, NULL;
  if (kind == LLVMArrayTypeKind) {
    LLVMTypeRef element = LLVMGetElementType(memory);
    if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 8)
      return out->how = READ_ARRAY, out->size = LLVMGetArrayLength2(memory), NULL;
  }
  return because("neither an array of char nor a pointer");
}

static char *sized(const Variables *v, LLVMTypeRef memory, LLVMValueRef local, Reading *out) {
  uint64_t size = LLVMTypeIsSized(memory) ? LLVMABISizeOfType(LLVMGetModuleDataLayout(v->m), memory) : 0;
  if (local && !LLVMIsAConstantInt(LLVMGetOperand(local, 0)))
    return because("its size is only known at run time");
  if (out->global && LLVMGetLinkage(out->global) == LLVMExternalWeakLinkage) out->checked = true;
  if (!size) out->checked = true;
  if (out->checked || out->how == READ_ARRAY || out->bits <= size * 8) return NULL;
  return mem_format("it has only %llu byte%s", (unsigned long long)size, size == 1 ? "" : "s");
}

char *variable_read(Variables *v, const char *name, TermAccess access, Reading *out) {
  const Named *n;
  char *why = find(v, name, &n, out);
  if (why) return why;
  LLVMValueRef local = out->global ? NULL : v->place->locals[out->local];
  LLVMTypeRef memory = local ? LLVMGetAllocatedType(local) : LLVMGlobalGetValueType(out->global);
  if (access == TERM_AS_DECLARED) {
    why = declared(v, n, memory, out);
  } else if (access == TERM_AS_STRING) {
    why = as_text(memory, out);
  } else {
    Reading r = reading_of(access);
    out->how = r.how, out->bits = r.bits, out->is_signed = r.is_signed;
  }
  return why ? why : sized(v, memory, local, out);
}

char *variable_address(Variables *v, const char *name, Reading *out) {
  const Named *n;
  char *why = find(v, name, &n, out);
  out->how = READ_ADDRESS;
  return why;
}
