// alias/targets -- what the indirect calls of a program may enter, by points-to, for its call graph.
#pragma once
#include "alias.h"
#include "ir/ir.h"

// Pairs of site and function of `g`, for callgraph_new_with. Calls that points-to sees nobody reach are not
// among them. Empty if no indirect call is a derived sync: then nothing would change. The same module and
// recipe give the same pairs.
void targets_find(LLVMModuleRef m, const Recipe *recipe, const Callgraph *g, const Maysync *sync, Pairs *out);
// Code without bitcode is linked to the module by name, or may be when the program runs: AliasOptions.open.
bool targets_open(LLVMModuleRef m, const App *app);
// What of the module the libraries that it is linked with refer to by name, and may so use in threads of
// theirs; added to out.
void targets_exported(LLVMModuleRef m, const App *app, AliasFunctions *out);
