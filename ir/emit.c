#include "emit.h"
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include "each.h"
#include "llvm_gap.h"

// What clang adds to the standard pipeline for a flag, and we add too. Runs on the unoptimized module.
static const struct {
  const char *flag, *passes;
} instrumentations[] = {{"-fprofile-instrument=clang", "instrprof"},
                        {"-fsanitize=address", "asan"},
                        {"-fsanitize=thread", "tsan-module,function(tsan)"}};

static bool has_other_sanitizer(const Recipe *r) {
  static const char *const none_needed = "undefined";  // its checks are in the bitcode already
  for (vec_each(i, &r->parts)) {
    const char *p = r->parts.at[i].flags;
    for (; p && (p = strstr(p, "-fsanitize=")); p += 11) {
      const char *v = p + 11;
      if (strncmp(v, none_needed, 9) && strncmp(v, "address ", 8) && strcmp(v, "address") &&
          strncmp(v, "thread", 6))
        return true;
    }
  }
  return false;
}

EmitOptions emit_options(const Recipe *r, Diags *diags) {
  EmitOptions o = {.level = recipe_level(r), .pic = !recipe_has_flag(r, "-mrelocation-model=static")};
  o.function_sections = recipe_has_flag(r, "-ffunction-sections");
  o.data_sections = recipe_has_flag(r, "-fdata-sections");
  if (recipe_has_flag(r, "-mrelocation-model=pic")) o.pic = true;
  for (size_t i = 0; i < sizeof instrumentations / sizeof *instrumentations; ++i)
    if (recipe_has_flag(r, instrumentations[i].flag)) o.extra_passes = instrumentations[i].passes;
  if (has_other_sanitizer(r))
    diag_warning(diags, "%s: built with sanitizers that cannot be applied again", r->output);
  return o;
}

static LLVMCodeGenOptLevel codegen_level(int level) {
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                               LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
  assert(level >= 0 && level <= 3);
  return levels[level];
}

static void add_targets(void) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
}

void emit_targets(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, add_targets);
}

LLVMTargetMachineRef emit_machine(LLVMModuleRef m, const EmitOptions *o, Diags *diags) {
  emit_targets();
  char *text = NULL;
  LLVMTargetRef t;
  if (LLVMGetTargetFromTriple(LLVMGetTarget(m), &t, &text)) {
    diag_error(diags, "cannot generate code for %s: %s", LLVMGetTarget(m), text);
    LLVMDisposeMessage(text);
    return NULL;
  }
  LLVMTargetMachineRef tm =
      LLVMCreateTargetMachine(t, LLVMGetTarget(m), "x86-64", "", codegen_level(o->level),
                              o->pic ? LLVMRelocPIC : LLVMRelocStatic, LLVMCodeModelDefault);
  gap_target_sections(tm, o->function_sections, o->data_sections);
  return tm;
}

bool emit_passes(LLVMModuleRef m, LLVMTargetMachineRef tm, const char *passes, Diags *diags) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(m, passes, tm, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *text = LLVMGetErrorMessage(error);
  diag_error(diags, "internal: the passes %s failed: %s", passes, text);
  LLVMDisposeErrorMessage(text);
  return false;
}

// clang lowers them in a pass that it adds for -fenable-matrix alone.
static bool has_matrices(LLVMModuleRef m) {
  for (all_functions(f, m))
    if (!strncmp(LLVMGetValueName(f), "llvm.matrix.", 12)) return true;
  return false;
}

bool emit_lower(LLVMModuleRef m, LLVMTargetMachineRef tm, Diags *diags) {
  return !has_matrices(m) || emit_passes(m, tm, "function(lower-matrix-intrinsics)", diags);
}

bool emit_optimize(LLVMModuleRef m, LLVMTargetMachineRef tm, const EmitOptions *o, Diags *diags) {
  char pipeline[] = "default<O0>";
  assert(o->level >= 0 && o->level <= 3);
  pipeline[9] = (char)('0' + o->level);
  return emit_lower(m, tm, diags) && (!o->extra_passes || emit_passes(m, tm, o->extra_passes, diags)) &&
         emit_passes(m, tm, pipeline, diags);
}

bool emit_object(LLVMModuleRef m, LLVMTargetMachineRef tm, Bytes *out, Diags *diags) {
  char *text = NULL;
  LLVMMemoryBufferRef b = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(tm, m, LLVMObjectFile, &text, &b)) {
    diag_error(diags, "cannot generate machine code: %s", text);
    LLVMDisposeMessage(text);
    return false;
  }
  vec_append(out, (const unsigned char *)LLVMGetBufferStart(b), LLVMGetBufferSize(b));
  LLVMDisposeMemoryBuffer(b);
  return true;
}
