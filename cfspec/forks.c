// Where a forked process may come back into the program. It has a copy of the thread that forked, and is the
// original program from there on: every function that may be on the stack then has generic code, and looks
// behind the call whether it runs in such a process. After vfork the child runs in the memory of its parent,
// which goes on in the clone when the child is gone.
#include "specializer.h"

// Of the system calls only these make processes. 0: not known.
static bool system_call_forks(LLVMValueRef call) {
  enum { CLONE = 56, FORK = 57, VFORK = 58, CLONE3 = 435 };
  LLVMValueRef number = LLVMGetNumArgOperands(call) ? LLVMGetArgOperand(call, 0) : NULL;
  if (!number || !LLVMIsAConstantInt(number)) return true;
  uint64_t n = LLVMConstIntGetZExtValue(number);
  return n == CLONE || n == FORK || n == VFORK || n == CLONE3;
}

static bool is_named(LLVMValueRef f, const char *name) {
  return f && !strcmp(LLVMGetValueName(f), name);
}

static bool is_seed(LLVMValueRef f) {
  return LLVMIsDeclaration(f) && !is_named(f, "syscall") && library_forks(LLVMGetValueName(f));
}

void forks_find(Module *k) {
  uint32_t functions = callgraph_count(k->graph), sites = sites_count(k->sites);
  bool *unused = mem_array(sites + 1, sizeof *unused);
  for (uint32_t f = 0; f < functions; ++f) k->forks[f] = is_seed(callgraph_function(k->graph, f));
  for (uint32_t s = 0; s < sites; ++s) {
    LLVMValueRef call = sites_call(k->sites, s), to = call_function(call);
    bool direct = is_vfork(call) || (is_named(to, "syscall") && system_call_forks(call));
    if (direct) k->forks[callgraph_id(k->graph, sites_function(k->sites, s))] = true;
    k->fork_sites[s] = direct;
  }
  callgraph_mark_callers(k->graph, k->forks, unused);
  for (uint32_t s = 0; s < sites; ++s) k->fork_sites[s] |= unused[s];
  mem_free(unused);
}

bool is_vfork(LLVMValueRef call) {
  return is_named(call_function(call), "vfork");
}

bool forks_unseen(LLVMValueRef call) {
  LLVMValueRef to = call_function(call);
  return is_vfork(call) || is_named(to, "clone") || is_named(to, "_Fork") ||
         (is_named(to, "syscall") && system_call_forks(call));
}

bool is_fork_site(const Module *k, LLVMValueRef call) {
  uint32_t site = call_is(call) ? sites_id(k->sites, call) : SITE_NONE;
  return site != SITE_NONE && k->fork_sites[site];
}
