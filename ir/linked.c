#include "linked.h"
#include <ctype.h>
#include <string.h>
#include "call.h"
#include "each.h"

static const char anywhere[] = "specialize.linked";  // a section that no object has

static const char *name_of(LLVMValueRef g) {
  size_t len;
  return LLVMGetValueName2(g, &len);
}

// NULL: it is not named after one.
static const char *section_of(LLVMValueRef symbol) {
  const char *name = name_of(symbol);
  if (!strncmp(name, "__start_", 8)) return name + 8;
  return strncmp(name, "__stop_", 7) ? NULL : name + 7;
}

static bool is_edge(const char *name) {
  static const char *const names[] = {"end",
                                      "_end",
                                      "edata",
                                      "_edata",
                                      "etext",
                                      "_etext",
                                      "__etext",
                                      "__bss_start",
                                      "data_start",
                                      "__data_start",
                                      "__executable_start",
                                      "__ehdr_start"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  return false;
}

static bool is_anywhere(LLVMValueRef symbol) {
  const char *section = LLVMGetSection(symbol);
  return section && !strcmp(section, anywhere);
}

bool linked_is(LLVMValueRef g) {
  if (!LLVMIsAGlobalVariable(g) || !LLVMIsDeclaration(g)) return false;
  return section_of(g) || is_edge(name_of(g)) || is_anywhere(g);
}

bool linked_reaches(LLVMValueRef symbol, LLVMValueRef variable) {
  const char *of = section_of(symbol), *in = LLVMGetSection(variable);
  if (!LLVMIsAGlobalVariable(variable) || LLVMIsDeclaration(variable) || symbol == variable) return false;
  if (LLVMIsThreadLocal(variable)) return false;
  return of ? in && !strcmp(of, in) : true;
}

static LLVMValueRef named(LLVMModuleRef m, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(m, name), g = f ? f : LLVMGetNamedGlobal(m, name);
  return g ? g : LLVMGetNamedGlobalAlias(m, name, strlen(name));
}

void linked_define(LLVMModuleRef m, const char *symbol, const char *expression) {
  LLVMValueRef g = named(m, symbol), to = named(m, expression);
  if (!g || !LLVMIsDeclaration(g)) return;
  if (to && LLVMTypeOf(to) == LLVMTypeOf(g))
    LLVMReplaceAllUsesWith(g, to);
  else if (LLVMIsAGlobalVariable(g))
    LLVMSetSection(g, anywhere);
}
