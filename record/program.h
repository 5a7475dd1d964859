// record/program -- a program opened by a verb: its module with all that the verbs look things up in.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// What the indirect calls of a module may enter: pairs of site and function of the graph.
typedef void ProgramTargets(LLVMModuleRef m, const Recipe *recipe, const Callgraph *by_type,
                            const Maysync *sync, Pairs *out);

typedef struct {
  App app;
  LLVMContextRef context;
  LLVMModuleRef module;
  uint8_t hash[HASH_BYTES];
  char *hash_text;
  Sites *sites;
  Pairs targets;  // of indirect calls, by points-to (alias/targets)
  bool by_type;   // they are not used: see program_suit
  Callgraph *graph;
  Maysync *sync;
  ProgramTargets *find;
  Strings atomics;  // whose operations are calls in the module (ir/atomics)
} Program;

// find: targets_find of alias/, or NULL: calls are judged by type. False with an error. Free either way.
bool program_open(const char *path, ProgramTargets *find, Program *out, Diags *diags);
// Schedules may hold calls as derived syncs that points-to knows never to synchronize: they were recorded
// when calls were judged by type. To read or extend them, they are judged so again. And their atomic
// operations become calls; where the program has no such objects, no site fits. Before sites or graph of `l`
// are given away.
void program_suit(Program *l, const Sigma *s);
// The atomic operations on these objects become calls (ir/atomics); sites and all else are numbered again.
bool program_take_atomics(Program *l, const char *const *objects, size_t count, Diags *diags);
// Symbols that the linker, its scripts or assembly define by another. program_open does it; so must whoever
// reads the module again to change it.
void program_follow_linker(LLVMModuleRef m, const Recipe *r);
// The module of the same app once more, to be changed; sites and graphs are not made. False with an error.
bool program_again(const char *path, Program *out, Diags *diags);
void program_free(Program *l);
void program_check(const Program *l);  // asserts that it is whole, once it is open
