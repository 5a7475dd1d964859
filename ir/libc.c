#include "libc.h"
#include <stddef.h>
#include <string.h>

static const struct {
  const char *names[3];
  bool kept;
} variables[] = {{{"environ", "__environ", "_environ"}, true},
                 {{"stdin"}, true},
                 {{"stdout"}, true},
                 {{"stderr"}, true},
                 {{"program_invocation_name", "__progname_full"}, true},
                 {{"program_invocation_short_name", "__progname"}, true},
                 {{"timezone", "__timezone"}, true},
                 {{"daylight", "__daylight"}, true},
                 {{"tzname", "__tzname"}, true}};
enum { VARIABLES = sizeof variables / sizeof *variables, NAMES = 3 };

static int variable_of(const char *name) {
  for (int i = 0; i < VARIABLES; ++i)
    for (int k = 0; k < NAMES && variables[i].names[k]; ++k)
      if (!strcmp(variables[i].names[k], name)) return i;
  return -1;
}

static LLVMValueRef declared(LLVMModuleRef m, const char *name) {
  LLVMValueRef v = LLVMGetNamedGlobal(m, name);
  return v && LLVMIsDeclaration(v) ? v : NULL;
}

LLVMValueRef libc_named(LLVMModuleRef m, const char *name) {
  int i = variable_of(name);
  if (i < 0) return declared(m, name);
  LLVMValueRef v = NULL;
  for (int k = 0; k < NAMES && variables[i].names[k] && !v; ++k) v = declared(m, variables[i].names[k]);
  return v;
}

LLVMValueRef libc_variable(LLVMModuleRef m, LLVMValueRef v) {
  if (!LLVMIsAGlobalVariable(v) || !LLVMIsDeclaration(v) || variable_of(LLVMGetValueName(v)) < 0) return v;
  return libc_named(m, LLVMGetValueName(v));
}

bool libc_keeps(const char *name) {
  int i = variable_of(name);
  return i >= 0 && variables[i].kept;
}

void libc_unify(LLVMModuleRef m) {
  for (int i = 0; i < VARIABLES; ++i) {
    LLVMValueRef first = libc_named(m, variables[i].names[0]);
    for (int k = 1; k < NAMES && first && variables[i].names[k]; ++k) {
      LLVMValueRef v = declared(m, variables[i].names[k]);
      if (v && v != first) LLVMReplaceAllUsesWith(v, first);
    }
  }
}
