// specialize/loaded -- a program opened by a verb: its module with all that the verbs look things up in.
#pragma once
#include "core/core.h"
#include "sigma/sigma.h"

typedef struct {
  App app;
  LLVMContextRef context;
  LLVMModuleRef module;
  uint8_t hash[HASH_BYTES];
  char *hash_text;
  Sites *sites;
  Pairs targets;  // of indirect calls, by points-to (specialize/targets)
  bool by_type;   // they are not used: see loaded_suit
  Callgraph *graph;
  Maysync *sync;
} Loaded;

// False with an error. Free either way.
bool loaded_open(const char *path, Loaded *out, Diags *diags);
// Schedules may hold calls as derived syncs that points-to knows never to synchronize: they were recorded
// when calls were judged by type. To read or extend them, they are judged so again. Before sites or graph of
// `l` are given away.
void loaded_suit(Loaded *l, const Sigma *s);
void loaded_free(Loaded *l);
