// A module cut into units: what each has, what it sees of the others, and that they link to what it was.
#undef NDEBUG
#include <llvm-c/Linker.h>
#include "parse.h"

static const char text[] =
    "@count = internal global i32 0\n"
    "@limit = internal constant i32 7\n"
    "@.str = private unnamed_addr constant [2 x i8] c\"a\\00\"\n"
    "@.one = private unnamed_addr constant [2 x i8] c\"b\\00\"\n"
    "@lonely = internal global ptr @deep\n"
    "@visible = global i32 3\n"
    "@other = internal alias i32 (), ptr @kept\n"
    "@late = internal ifunc i32 (), ptr @resolve\n"
    "define internal ptr @resolve() {\n  ret ptr @small\n}\n"
    "declare void @out(ptr)\n"
    "declare void @unused()\n"
    "define internal void @deep() { ret void }\n"
    "define internal i32 @small() {\n  %v = load i32, ptr @count\n  ret i32 %v\n}\n"
    "define internal i32 @kept() noinline {\n  %v = call i32 @small()\n  ret i32 %v\n}\n"
    "define linkonce_odr i32 @inline() {\n  ret i32 4\n}\n"
    "define i32 @first() {\n"
    "  call void @out(ptr @.str)\n  %a = call i32 @small()\n  %b = call i32 @inline()\n  ret i32 %a\n}\n"
    "define internal i32 @second.x() {\n"
    "  call void @out(ptr @.str)\n  call void @out(ptr @.one)\n  %a = call i32 @small()\n"
    "  %b = call i32 @kept()\n  %c = load i32, ptr @limit\n  %d = load i32, ptr @visible\n"
    "  %e = call i32 @inline()\n  %f = load ptr, ptr @lonely\n  %g = call i32 @other()\n  %h = call i32 "
    "@late()\n  ret i32 %c\n}\n"
    "define i32 @main() {\n  %a = call i32 @second.x()\n  %b = call i32 @first()\n"
    "  %c = load i32, ptr @limit\n  ret i32 %a\n}\n";

static const char labels[] =
    "@to = internal global ptr blockaddress(@f, %there)\n"
    "define void @f() {\n  br label %there\nthere:\n  ret void\n}\n"
    "define void @second.x() {\n  %a = load ptr, ptr @to\n  ret void\n}\n";

static const char assembler[] = "module asm \".globl x\"\ndefine void @second.x() {\n  ret void\n}\n";

static const char used[] =
    "@named = internal global i32 0\n"
    "@llvm.used = appending global [1 x ptr] [ptr @named], section \"llvm.metadata\"\n"
    "define void @second.x() {\n  store i32 1, ptr @named\n  ret void\n}\n"
    "define void @f() {\n  store i32 1, ptr @named\n  ret void\n}\n";

static const char two_names[] =
    "@count = internal global i32 0\n"
    "@other = internal alias i32, ptr @count\n"
    "define i32 @second.x() {\n  store i32 1, ptr @count\n  %v = load i32, ptr @other\n  ret i32 %v\n}\n";

// second.x by itself, local variables where they are used, all else in 0.
static const char *cut(LLVMModuleRef m, CutUnits *out) {
  IdVec unit = {0};
  for (all_symbols(g, m)) {
    const char *name = LLVMGetValueName(g);
    bool local = LLVMIsAGlobalVariable(g) && LLVMGetLinkage(g) != LLVMExternalLinkage &&
                 LLVMGetLinkage(g) != LLVMAppendingLinkage;
    vec_push(&unit, !strcmp(name, "second.x") ? 1 : local ? CUT_ANY : 0);
  }
  CutInput in = {m, unit.at, 2, NULL};
  const char *why = cut_module(&in, out);
  vec_free(&unit);
  return why;
}

static LLVMModuleRef unit_of(LLVMContextRef c, const CutUnits *u, size_t i, Diags *d) {
  LLVMModuleRef m = module_parse(c, span_of(u->at[i].at, u->at[i].len), "unit", d);
  assert(m && module_verify(m, "unit", d));
  return m;
}

static LLVMLinkage function(LLVMModuleRef m, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(m, name);
  assert(f && !LLVMIsDeclaration(f));
  return LLVMGetLinkage(f);
}

static bool declared(LLVMModuleRef m, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(m, name), g = f ? f : LLVMGetNamedGlobal(m, name);
  return g && LLVMIsDeclaration(g);
}

static void program(LLVMModuleRef m) {
  assert(function(m, "small.specialize") == LLVMExternalLinkage);
  assert(LLVMGetVisibility(LLVMGetNamedFunction(m, "small.specialize")) == LLVMHiddenVisibility);
  assert(function(m, "kept.specialize") == LLVMExternalLinkage);
  assert(function(m, "inline") == LLVMWeakODRLinkage);  // else its users would miss it
  assert(declared(m, "second.x") && !LLVMGetNamedFunction(m, "unused"));
  assert(LLVMGetNamedGlobal(m, ".str") && !LLVMGetNamedGlobal(m, ".one") && !LLVMGetNamedGlobal(m, "lonely"));
}

static void part(LLVMModuleRef m) {
  assert(function(m, "second.x") == LLVMExternalLinkage);
  assert(function(m, "small.specialize") == LLVMAvailableExternallyLinkage);
  assert(function(m, "inline") == LLVMAvailableExternallyLinkage);
  assert(declared(m, "kept.specialize") && declared(m, "count.specialize") && declared(m, "visible"));
  assert(declared(m, "late.specialize") && declared(m, "other.specialize"));
  assert(LLVMGetLinkage(LLVMGetNamedFunction(m, "other.specialize")) == LLVMExternalWeakLinkage);
  assert(LLVMGetLinkage(LLVMGetNamedGlobal(m, "limit.specialize")) == LLVMAvailableExternallyLinkage);
  assert(LLVMGetLinkage(LLVMGetNamedGlobal(m, ".str")) == LLVMPrivateLinkage);
  assert(LLVMGetLinkage(LLVMGetNamedGlobal(m, ".one")) == LLVMPrivateLinkage);
  assert(LLVMGetLinkage(LLVMGetNamedGlobal(m, "lonely")) == LLVMInternalLinkage);
  assert(!LLVMGetNamedFunction(m, "first") && !LLVMGetNamedFunction(m, "main"));
}

static void cuts(Diags *d) {
  CutUnits units[2] = {{0}, {0}};
  LLVMContextRef c = module_context(d);
  for (int i = 0; i < 2; ++i) {
    LLVMModuleRef m = parse(c, text);
    assert(!cut(m, &units[i]) && units[i].len == 2);
    LLVMDisposeModule(m);
  }
  for (size_t i = 0; i < 2; ++i)
    assert(units[0].at[i].len == units[1].at[i].len &&
           !memcmp(units[0].at[i].at, units[1].at[i].at, units[0].at[i].len));
  LLVMModuleRef m = unit_of(c, &units[0], 0, d), p = unit_of(c, &units[0], 1, d);
  program(m);
  part(p);
  assert(!LLVMLinkModules2(m, p) && module_verify(m, "both", d));
  for (all_functions(f, m)) assert(!LLVMIsDeclaration(f) || !strcmp(LLVMGetValueName(f), "out"));
  for (all_globals(g, m)) assert(!LLVMIsDeclaration(g));
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
  cut_free(&units[0]), cut_free(&units[1]);
}

// Two units use a table that has an address of its own: it is in 0, and so is what it names.
static const char table[] =
    "@.str = private unnamed_addr constant [2 x i8] c\"a\\00\"\n"
    "@.table = private constant [1 x ptr] [ptr @.str]\n"
    "define ptr @one() {\n  ret ptr @.table\n}\n"
    "define ptr @two() {\n  ret ptr @.table\n}\n"
    "define i32 @main() {\n  ret i32 0\n}\n";

static void shares_a_table(Diags *d) {
  CutUnits units = {0};
  LLVMContextRef c = module_context(d);
  LLVMModuleRef m = parse(c, table);
  IdVec unit = {0};
  for (all_symbols(g, m)) {
    const char *name = LLVMGetValueName(g);
    vec_push(&unit, *name == '.' ? CUT_ANY : !strcmp(name, "one") ? 1 : !strcmp(name, "two") ? 2 : 0);
  }
  CutInput in = {m, unit.at, 3, NULL};
  assert(!cut_module(&in, &units) && units.len == 3);
  LLVMDisposeModule(m);
  m = unit_of(c, &units, 0, d);
  assert(LLVMGetInitializer(LLVMGetNamedGlobal(m, ".str")));
  for (size_t i = 1; i < 3; ++i) assert(!LLVMLinkModules2(m, unit_of(c, &units, i, d)));
  for (all_globals(g, m)) assert(!LLVMIsDeclaration(g));
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
  vec_free(&unit);
  cut_free(&units);
}

static void refuses(const char *source, Diags *d) {
  CutUnits units = {0};
  LLVMContextRef c = module_context(d);
  LLVMModuleRef m = parse(c, source);
  char *before = LLVMPrintModuleToString(m);
  assert(cut(m, &units) && !units.len);
  char *after = LLVMPrintModuleToString(m);
  assert(!strcmp(before, after));
  LLVMDisposeMessage(before), LLVMDisposeMessage(after);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
}

int main(void) {
  Diags *d = diags_new();
  cuts(d);
  shares_a_table(d);
  refuses(labels, d);
  refuses(assembler, d);
  refuses(used, d);
  refuses(two_names, d);
  diags_print(d, stderr, "cut");
  assert(!diags_errors(d));
  diags_free(d);
}
