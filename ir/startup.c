#include "startup.h"
#include <string.h>
#include "each.h"

static void add_listed(LLVMModuleRef m, const char *name, Mentions *out) {
  LLVMValueRef list = LLVMGetNamedGlobal(m, name);
  if (list && LLVMGetInitializer(list)) mentions_add(out, LLVMGetInitializer(list));
}

// NAME or NAME.priority
static bool is_in(LLVMValueRef global, const char *section) {
  const char *of = LLVMGetSection(global);
  size_t len = strlen(section);
  return of && !strncmp(of, section, len) && (!of[len] || of[len] == '.');
}

static void add_sections(LLVMModuleRef m, const char *const *sections, Mentions *out) {
  for (all_globals(g, m))
    for (const char *const *s = sections; *s; ++s)
      if (LLVMGetInitializer(g) && is_in(g, *s)) mentions_add(out, LLVMGetInitializer(g));
}

void startup_functions(LLVMModuleRef m, Mentions *out) {
  static const char *const sections[] = {".preinit_array", ".init_array", ".ctors", NULL};
  add_listed(m, "llvm.global_ctors", out);
  add_sections(m, sections, out);
}

void shutdown_functions(LLVMModuleRef m, Mentions *out) {
  static const char *const sections[] = {".fini_array", ".dtors", NULL};
  add_listed(m, "llvm.global_dtors", out);
  add_sections(m, sections, out);
}
