// The symbol tables of the libraries of this machine.
#pragma once
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "ir/ir.h"

// The functions that a library exports to new programs: those with one @ are kept for old ones.
static inline Intern *exports_new(const char *library, const char *symbol) {
  void *lib = dlopen(library, RTLD_NOW);
  Dl_info info;
  assert(lib && dladdr(dlsym(lib, symbol), &info));
  char *command = mem_format("readelf -W --dyn-syms '%s'", info.dli_fname), line[4096], name[4096], kind[64];
  char section[64];
  FILE *f = popen(command, "r");
  Intern *t = intern_new();
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, " %*[0-9]: %*s %*s %63s %*s %*s %63s %4095s", kind, section, name) != 3) continue;
    char *at = strchr(name, '@');
    if (!strstr(kind, "FUNC") || !strcmp(section, "UND") || (at && at[1] != '@')) continue;
    intern_id(t, name, at ? (size_t)(at - name) : strlen(name));
  }
  assert(pclose(f) == 0 && intern_count(t) > 500);
  mem_free(command);
  return t;
}

static inline bool exports_have(const Intern *t, const char *name) {
  return intern_find(t, name, strlen(name)) != INTERN_NONE;
}
