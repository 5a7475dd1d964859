// ir/callgraph -- who may call whom. Two assumptions: a function outside the module that no table knows
// (callgraph_unknown) calls back only functions that stood in arguments of such calls, or in constant data
// that did, though any one whose address is taken or that is visible could be meant; and an indirect call
// passes at least the arguments that its target takes (ir/signature). ir/maysync tells where the first
// one matters.
//
// Functions have dense ids in module order, those outside the module included. Indirect calls go to all
// functions whose address is taken and whose signature fits. Calls in llvm.dbg.* are no calls; aliases and
// ifuncs are resolved. Describes the module as it was when made, with the calls of its sites, which must
// outlive it.
#pragma once
#include "core/core.h"
#include "library.h"
#include "site.h"

#define CALLGRAPH_NONE UINT32_MAX

typedef struct Callgraph Callgraph;
Callgraph *callgraph_new(LLVMModuleRef m, const Sites *sites);
// The same, if something finer than types knows all that some indirect calls may enter: pairs of site and
// function, by id, in order. Sites without a pair are judged by type. NULL: nothing is known.
Callgraph *callgraph_new_with(LLVMModuleRef m, const Sites *sites, const Pairs *targets);
void callgraph_free(Callgraph *g);
const Sites *callgraph_sites(const Callgraph *g);
uint32_t callgraph_count(const Callgraph *g);
LLVMValueRef callgraph_function(const Callgraph *g, uint32_t f);
uint32_t callgraph_id(const Callgraph *g, LLVMValueRef function);  // CALLGRAPH_NONE: not of then

// What a site itself may call. None for inline assembly, and for a call that nothing in the module fits.
Ids callgraph_targets(const Callgraph *g, uint32_t site);
bool callgraph_direct(const Callgraph *g, uint32_t site);  // one target, and no other possible
// The functions that it gives to outside code, by when they are called; those with LIBRARY_NOW are called
// during it. A virtual or by-type callback passes several.
typedef struct {
  LibraryWhen when;
  Ids functions;
} CallgraphPass;
size_t callgraph_passes(const Callgraph *g, uint32_t site);
CallgraphPass callgraph_pass(const Callgraph *g, uint32_t site, size_t i);
void callgraph_callers(const Callgraph *g, uint32_t f, IdVec *sites);  // by id: sites that f is a target of

// How outside code may come to enter a function.
enum {
  ENTRY_MAIN = 1,
  ENTRY_CONSTRUCTOR = 2,  // or destructor, of the module
  ENTRY_THREAD = 4,
  ENTRY_CALLBACK = 8,  // during a call of a function outside
  ENTRY_LATER = 16,    // at exit, at a thread's end, by a library that keeps it, ...
  ENTRY_SIGNAL = 32,
  ENTRY_RESOLVER = 64,  // of an ifunc, when the program is loaded
};
unsigned callgraph_entries(const Callgraph *g, uint32_t f);
bool callgraph_taken(const Callgraph *g, uint32_t f);    // its address is used as a value (ir/mention)
bool callgraph_visible(const Callgraph *g, uint32_t f);  // defined here, and outside code can find it by name
bool callgraph_unknown(const Callgraph *g, uint32_t f);  // outside, and no table knows it

// Strongly connected components of functions that may call each other during a call; callees first.
uint32_t callgraph_component(const Callgraph *g, uint32_t f);
Ids callgraph_members(const Callgraph *g, uint32_t component);
bool callgraph_recursive(const Callgraph *g, uint32_t f);

// From marked functions to all that may run one of them during a call, and the sites where they may.
void callgraph_mark_callers(const Callgraph *g, bool *functions, bool *sites);
void callgraph_check(const Callgraph *g);  // asserts that it is whole
