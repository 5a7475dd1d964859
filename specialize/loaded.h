// specialize/loaded -- a program opened by a verb: its module with all that the verbs look things up in.
#pragma once
#include "core/core.h"

typedef struct {
  App app;
  LLVMContextRef context;
  LLVMModuleRef module;
  uint8_t hash[HASH_BYTES];
  char *hash_text;
  Sites *sites;
  Callgraph *graph;
  Maysync *sync;
} Loaded;

// False with an error. Free either way.
bool loaded_open(const char *path, Loaded *out, Diags *diags);
void loaded_free(Loaded *l);
