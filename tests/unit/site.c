// Names of call sites, and places in the source.
#undef NDEBUG
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "parse.h"

static const char ir[] =
    "declare void @g()\n"
    "declare i32 @h(...)\n"
    "declare void @llvm.lifetime.start.p0(i64, ptr)\n"
    "declare i32 @__gxx_personality_v0(...)\n"
    "define void @f(i1 %c, ptr %p) personality ptr @__gxx_personality_v0 {\n"
    "entry:\n"
    "  call void @g()\n"
    "  br i1 %c, label %a, label %b\n"
    "b:\n"
    "  %v = alloca i32\n"
    "  call void @llvm.lifetime.start.p0(i64 4, ptr %v)\n"
    "  invoke void %p() to label %ok unwind label %bad\n"
    "bad:\n"
    "  %l = landingpad { ptr, i32 } cleanup\n"
    "  call void asm \"\", \"\"()\n"
    "  resume { ptr, i32 } %l\n"
    "ok:\n"
    "  callbr void asm \"\", \"!i\"() to label %a [label %a]\n"
    "a:\n"
    "  %r = musttail call i32 (...) @h()\n"
    "  ret void\n"
    "}\n"
    "define void @\"a b#7\"() { call void @g() ret void }\n"
    "define void @\"a b\"() { call void @g() ret void }\n"
    "define void @\"q\\22\\0A#\"() { call void @g() call void @g() ret void }\n"
    "define void @0() { call void @g() ret void }\n"
    "define void @\"#0\"() { call void @g() ret void }\n"
    "define void @1() { call void @g() ret void }\n"
    "define void @empty() { ret void }\n";

static uint32_t find(const Sites *s, const char *name) {
  return sites_find(s, name, strlen(name));
}

static void test_names(LLVMModuleRef m) {
  static const char *const names[] = {"f#0",   "f#1",      "f#2",      "f#3",  "f#4",  "f#5", "a b#7#0",
                                      "a b#0", "q\"\n##0", "q\"\n##1", "#1#0", "#0#0", "#2#0"};
  Sites *s = sites_new(m);
  assert(sites_count(s) == sizeof names / sizeof *names);
  for (uint32_t i = 0; i < sites_count(s); ++i) {
    char *name = sites_name(s, i);
    assert(!strcmp(name, names[i]) && find(s, name) == i && sites_id(s, sites_call(s, i)) == i);
    mem_free(name);
  }
  static const char *const none[] = {"",     "f",     "f#",       "f#6",          "f#00", "f#01",
                                     "f#-1", "f# 1",  "f#1 ",     "f#4294967296", "g#0",  "empty#0",
                                     "#",    "a b#7", "nobody#0", "f#1#"};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) assert(find(s, none[i]) == SITE_NONE);
  uint32_t first;
  LLVMValueRef f = LLVMGetNamedFunction(m, "a b");
  assert(sites_of(s, f, &first) == 1 && first == 7 && sites_function(s, 7) == f && !sites_ordinal(s, 7));
  assert(!sites_of(s, LLVMGetNamedFunction(m, "g"), &first));
  assert(sites_id(s, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetNamedFunction(m, "empty")))) ==
         SITE_NONE);
  sites_free(s);
}

static const char located[] =
    "@v = global i32 0, !dbg !8\n"
    "@w = global i32 0\n"
    "declare void @g(i32)\n"
    "define void @f(i32 %x) !dbg !4 {\n"
    "  #dbg_value(i32 %x, !11, !DIExpression(), !7)\n"
    "  call void @g(i32 0), !dbg !7\n"
    "  #dbg_value(i32 1, !11, !DIExpression(), !7)\n"
    "  call void @g(i32 1), !dbg !12\n"
    "  call void @g(i32 2)\n"
    "  ret void\n"
    "}\n"
    "define void @bare() { ret void }\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!llvm.module.flags = !{!13}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, globals: !14)\n"
    "!1 = !DIFile(filename: \"x.c\", directory: \"/d\")\n"
    "!2 = !DISubroutineType(types: !3)\n"
    "!3 = !{}\n"
    "!4 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, type: !2, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!5 = !DIFile(filename: \"y.h\", directory: \"/d\")\n"
    "!6 = distinct !DISubprogram(name: \"i\", file: !5, line: 9, type: !2, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!7 = !DILocation(line: 4, column: 6, scope: !4)\n"
    "!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())\n"
    "!9 = distinct !DIGlobalVariable(name: \"v\", scope: !0, file: !5, line: 1, type: !10)\n"
    "!10 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n"
    "!11 = !DILocalVariable(name: \"x\", arg: 1, scope: !4, file: !1, line: 3, type: !10)\n"
    "!12 = !DILocation(line: 10, column: 2, scope: !6, inlinedAt: !7)\n"
    "!13 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!14 = !{!8}\n";

static bool at(LLVMValueRef v, const char *file, unsigned line, unsigned column) {
  Place p = where(v);
  return (file ? p.file && !strcmp(p.file, file) : !p.file) && p.line == line && p.column == column;
}

static void test_diags(LLVMModuleRef m, LLVMValueRef third) {
  Diags *d = diags_new();
  LLVMValueRef bare = LLVMGetNamedFunction(m, "bare");
  diag_at(d, DIAG_WARNING, LLVMGetPreviousInstruction(third), "%d", 1);
  diag_at(d, DIAG_WARNING, third, "%d", 2);
  diag_at(d, DIAG_ERROR, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(bare)), "%d", 3);
  diag_at(d, DIAG_NOTE, LLVMGetNamedGlobal(m, "w"), "%d", 4);
  diag_at(d, DIAG_WARNING, LLVMGetParam(LLVMGetNamedFunction(m, "f"), 0), "%d", 5);
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  diags_print(d, f, "t");
  fclose(f);
  assert(!strcmp(text,
                 "y.h:10:2: warning: 1\nx.c:3: warning: 2\nt: error: 3 (in bare)\nt: note: 4 (w)\n"
                 "x.c:3: warning: 5\n"));
  free(text);
  diags_free(d);
}

// In either form of debug information the names are the same.
static void test_places(LLVMModuleRef m) {
  LLVMValueRef f = LLVMGetNamedFunction(m, "f");
  for (int records = 1; records >= 0; --records) {
    LLVMSetIsNewDbgInfoFormat(m, records);
    Sites *s = sites_new(m);
    assert(sites_count(s) == 3);
    for (uint32_t i = 0; i < 3; ++i)
      assert(LLVMConstIntGetZExtValue(LLVMGetOperand(sites_call(s, i), 0)) == i);
    assert(at(sites_call(s, 0), "x.c", 4, 6) && at(sites_call(s, 1), "y.h", 10, 2));
    assert(at(sites_call(s, 2), NULL, 0, 0) && at(f, "x.c", 3, 0));
    assert(at(LLVMGetNamedGlobal(m, "v"), "y.h", 1, 0) && at(LLVMGetNamedGlobal(m, "w"), NULL, 0, 0));
    assert(at(LLVMGetParam(f, 0), NULL, 0, 0));
    test_diags(m, sites_call(s, 2));
    sites_free(s);
  }
}

int main(void) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = parse(c, ir), n = parse(c, located);
  test_names(m);
  test_places(n);
  LLVMDisposeModule(m);
  LLVMDisposeModule(n);
  LLVMContextDispose(c);
  return 0;
}
