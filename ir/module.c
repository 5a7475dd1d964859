#include "module.h"
#include "each.h"
#include <assert.h>
#include <sys/stat.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

static void collect(LLVMDiagnosticInfoRef info, void *diags) {
  LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  if (severity != LLVMDSError && severity != LLVMDSWarning) return;
  char *text = LLVMGetDiagInfoDescription(info);
  diag(diags, severity == LLVMDSError ? DIAG_ERROR : DIAG_WARNING, (Place){0}, "%s", text);
  LLVMDisposeMessage(text);
}

LLVMContextRef module_context(Diags *diags) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(c, collect, diags);
  // Bitcode lists the kinds of metadata that its context knows. This one comes only with -g, and the hash of
  // a module must not depend on that.
  LLVMGetMDKindIDInContext(c, "PGOFuncName", 11);
  return c;
}

// Assembly of a module may name files, which LLVM opens when it looks for symbols: one that is a pipe or a
// device it would wait for. NULL: none is.
static char *waits_for(LLVMModuleRef m) {
  static const char *const directives[] = {".incbin", ".include"};
  size_t len;
  const char *text = LLVMGetModuleInlineAsm(m, &len);
  char *code = mem_format("%.*s", (int)len, text), *found = NULL;
  for (size_t i = 0; i < sizeof directives / sizeof *directives; ++i)
    for (const char *at = code; !found && (at = strstr(at, directives[i])); ++at) {
      const char *name = at + strlen(directives[i]);
      name += strspn(name, " \t");
      if (*name != '"') continue;
      char *path = mem_format("%.*s", (int)strcspn(name + 1, "\"\n"), name + 1);
      struct stat st;
      if (!stat(path, &st) && !S_ISREG(st.st_mode))
        found = path;
      else
        mem_free(path);
    }
  mem_free(code);
  return found;
}

static bool is_readable(LLVMModuleRef m, const char *name, Diags *diags) {
  char *file = waits_for(m);
  if (file) diag_error(diags, "%s: its assembly reads %s, which is no regular file", name, file);
  mem_free(file);
  return !file;
}

LLVMModuleRef module_parse(LLVMContextRef c, Span bitcode, const char *name, Diags *diags) {
  LLVMMemoryBufferRef b =
      LLVMCreateMemoryBufferWithMemoryRange((const char *)bitcode.at, bitcode.len, name, 0);
  LLVMModuleRef m = NULL;
  if (LLVMParseBitcodeInContext2(c, b, &m)) {
    diag_error(diags, "%s: cannot read its bitcode", name);
    m = NULL;
  }
  LLVMDisposeMemoryBuffer(b);
  if (m && !is_readable(m, name, diags)) LLVMDisposeModule(m), m = NULL;
  return m;
}

bool module_verify(LLVMModuleRef m, const char *name, Diags *diags) {
  char *text = NULL;
  bool bad = LLVMVerifyModule(m, LLVMReturnStatusAction, &text);
  if (bad) diag_error(diags, "%s: invalid module: %s", name, text);
  LLVMDisposeMessage(text);
  return !bad;
}

void module_bitcode(LLVMModuleRef m, Bytes *out) {
  LLVMMemoryBufferRef b = LLVMWriteBitcodeToMemoryBuffer(m);
  vec_append(out, (const unsigned char *)LLVMGetBufferStart(b), LLVMGetBufferSize(b));
  LLVMDisposeMemoryBuffer(b);
}

bool module_print(LLVMModuleRef m, const char *path, Diags *d) {
  char *text = LLVMPrintModuleToString(m);
  int err = file_write(path, text, strlen(text), 0666);
  LLVMDisposeMessage(text);
  if (err) diag_error(d, "%s: cannot be written: %s", path, strerror(err));
  return !err;
}

static bool defines(LLVMValueRef g) {
  return LLVMIsAGlobalAlias(g) || LLVMIsAGlobalIFunc(g) || !LLVMIsDeclaration(g);
}

SymbolKind module_symbol_kind(LLVMValueRef g) {
  size_t len;
  assert(LLVMIsAGlobalValue(g));
  const char *name = LLVMGetValueName2(g, &len);
  if (!defines(g) || !len || (len > 5 && !memcmp(name, "llvm.", 5))) return SYMBOL_NONE;
  switch (LLVMGetLinkage(g)) {
    case LLVMExternalLinkage:
      return SYMBOL_STRONG;
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMLinkOnceODRAutoHideLinkage:
      return SYMBOL_OPTIONAL;
    case LLVMWeakAnyLinkage:
    case LLVMWeakODRLinkage:
    case LLVMCommonLinkage:
      return SYMBOL_WEAK;
    default:
      return SYMBOL_NONE;
  }
}

const char *module_symbol_name(LLVMValueRef g, size_t *len) {
  const char *name = LLVMGetValueName2(g, len);
  if (*len && *name == '\1') return --*len, name + 1;
  return name;
}

static LLVMValueRef first_of(LLVMModuleRef m, int kind) {
  switch (kind) {
    case 0:
      return LLVMGetFirstFunction(m);
    case 1:
      return LLVMGetFirstGlobal(m);
    case 2:
      return LLVMGetFirstGlobalAlias(m);
    default:
      return LLVMGetFirstGlobalIFunc(m);
  }
}

static LLVMValueRef first_from(LLVMModuleRef m, int kind) {
  LLVMValueRef g = NULL;
  for (; !g && kind < 4; ++kind) g = first_of(m, kind);
  return g;
}

LLVMValueRef module_first_symbol(LLVMModuleRef m) {
  return first_from(m, 0);
}

LLVMValueRef module_next_symbol(LLVMModuleRef m, LLVMValueRef g) {
  LLVMValueRef next;
  assert(LLVMGetGlobalParent(g) == m);
  int kind = LLVMIsAFunction(g) ? 0 : LLVMIsAGlobalVariable(g) ? 1 : LLVMIsAGlobalAlias(g) ? 2 : 3;
  if (kind == 0)
    next = LLVMGetNextFunction(g);
  else if (kind == 1)
    next = LLVMGetNextGlobal(g);
  else if (kind == 2)
    next = LLVMGetNextGlobalAlias(g);
  else
    next = LLVMGetNextGlobalIFunc(g);
  return next ? next : first_from(m, kind + 1);
}

static void empty_block(LLVMBuilderRef end, LLVMBasicBlockRef b) {
  LLVMPositionBuilderAtEnd(end, b);
  LLVMValueRef last = LLVMBuildUnreachable(end), i;
  while ((i = LLVMGetPreviousInstruction(last))) {
    LLVMTypeRef t = LLVMTypeOf(i);
    if (LLVMGetTypeKind(t) != LLVMVoidTypeKind && LLVMGetFirstUse(i))
      LLVMReplaceAllUsesWith(i, LLVMGetPoison(t));
    LLVMInstructionEraseFromParent(i);
  }
}

void module_undefine(LLVMValueRef g) {
  assert(LLVMIsAFunction(g) || LLVMIsAGlobalVariable(g));
  if (LLVMIsAFunction(g)) {
    // A block may be used by others (branches, blockaddress): let go of all operands first. An end stays, for
    // LLVM loses the debug records of a block that has none.
    LLVMBuilderRef end = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(g)));
    for (all_blocks(b, g)) empty_block(end, b);
    LLVMDisposeBuilder(end);
    while (LLVMGetFirstBasicBlock(g)) LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(g));
    LLVMSetPersonalityFn(g, NULL);
  } else {
    LLVMSetInitializer(g, NULL);
  }
  LLVMSetLinkage(g, LLVMExternalLinkage);
  assert(LLVMIsDeclaration(g));
}
