#include "libc.h"
#include <stddef.h>
#include <string.h>

// The library gives their addresses to nobody.
static const char *const variables[][3] = {{"environ", "__environ", "_environ"},
                                           {"stdin"},
                                           {"stdout"},
                                           {"stderr"},
                                           {"program_invocation_name", "__progname_full"},
                                           {"program_invocation_short_name", "__progname"},
                                           {"timezone", "__timezone"},
                                           {"daylight", "__daylight"},
                                           {"tzname", "__tzname"}};
enum { VARIABLES = sizeof variables / sizeof *variables, NAMES = 3 };

static int variable_of(const char *name) {
  for (int i = 0; i < VARIABLES; ++i)
    for (int k = 0; k < NAMES && variables[i][k]; ++k)
      if (!strcmp(variables[i][k], name)) return i;
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
  for (int k = 0; k < NAMES && variables[i][k] && !v; ++k) v = declared(m, variables[i][k]);
  return v;
}

LLVMValueRef libc_variable(LLVMModuleRef m, LLVMValueRef v) {
  if (!LLVMIsAGlobalVariable(v) || !LLVMIsDeclaration(v) || variable_of(LLVMGetValueName(v)) < 0) return v;
  return libc_named(m, LLVMGetValueName(v));
}

bool libc_keeps(const char *name) {
  return variable_of(name) >= 0;
}

void libc_unify(LLVMModuleRef m) {
  for (int i = 0; i < VARIABLES; ++i) {
    LLVMValueRef first = libc_named(m, variables[i][0]);
    for (int k = 1; k < NAMES && first && variables[i][k]; ++k) {
      LLVMValueRef v = declared(m, variables[i][k]);
      if (v && v != first) LLVMReplaceAllUsesWith(v, first);
    }
  }
}
