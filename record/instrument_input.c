// Calls that read what is neither in the arguments nor asked of getenv, by the table ir/library.def.
#include <fcntl.h>
#include "instrumenter.h"
#include "rt/rt.h"

static const Library unknown = {.input = LIBRARY_IN_UNKNOWN};

static const Library *row_of(const char *name) {
  const Library *row = library_find(name, true);
  return row ? row : &unknown;
}

static uint32_t class_of(LibraryInput input) {
  switch (input) {
    case LIBRARY_IN_STDIN:
      return RT_INPUT_STDIN;
    case LIBRARY_IN_FILE:
    case LIBRARY_IN_SUCCESS:
      return RT_INPUT_FILE;
    case LIBRARY_IN_TIME:
      return RT_INPUT_TIME;
    case LIBRARY_IN_RANDOM:
      return RT_INPUT_RANDOM;
    case LIBRARY_IN_SYSTEM:
      return RT_INPUT_SYSTEM;
    case LIBRARY_IN_ENVIRON:
      return RT_INPUT_ENVIRON;
    case LIBRARY_IN_OTHER:
      return RT_INPUT_OTHER;
    default:
      return RT_INPUT_UNKNOWN;
  }
}

static void before(Instrumenter *k, LLVMValueRef call, uint32_t site, const char *hook, LLVMValueRef what) {
  LLVMValueRef args[] = {number(k, site), what};
  stand_before(k, call);
  hook_call(k, hook, args, 2);
}

static void stand_behind(Instrumenter *k, LLVMValueRef call) {
  if (LLVMIsAInvokeInst(call))
    edge_block(k, call, 0);
  else
    stand_before(k, LLVMGetNextInstruction(call));
}

static void behind(Instrumenter *k, LLVMValueRef call, const char *hook) {
  stand_behind(k, call);
  hook_call(k, hook, &call, 1);
}

// That an allocation failed is something that the run read.
static void hook_allocation(Instrumenter *k, LLVMValueRef call, uint32_t site, const char *name) {
  static const char *const all[] = {"malloc",   "calloc", "realloc", "reallocarray", "aligned_alloc",
                                    "memalign", "valloc", "strdup",  "strndup"};
  bool is = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) is |= !strcmp(all[i], name);
  if (!is || LLVMTypeOf(call) != k->ptr || !LLVMGetFirstUse(call)) return;
  LLVMValueRef args[] = {number(k, site), call};
  stand_behind(k, call);
  hook_call(k, "rt_rec_allocated", args, 2);
}

// open with O_EXCL: that it succeeds says that there was no such file.
static bool opens_new_only(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  const char *name = f ? LLVMGetValueName(f) : "";
  bool at = !strncmp(name, "openat", 6);
  if (strcmp(name, "open") != 0 && strcmp(name, "open64") != 0 && !at) return false;
  unsigned n = at ? 2 : 1;
  LLVMValueRef flags = n < LLVMGetNumArgOperands(call) ? LLVMGetArgOperand(call, n) : NULL;
  return LLVMGetFirstUse(call) && flags && LLVMIsAConstantInt(flags) &&
         LLVMConstIntGetZExtValue(flags) & O_EXCL;
}

static void hook_input(Instrumenter *k, LLVMValueRef call, uint32_t site, const Library *r) {
  bool by_argument = r->input == LIBRARY_IN_FD || r->input == LIBRARY_IN_STREAM;
  bool has = by_argument && r->number < LLVMGetNumArgOperands(call);
  LLVMValueRef arg = has ? LLVMGetArgOperand(call, r->number) : NULL;
  if (r->input == LIBRARY_IN_NOTHING) return;
  if (r->input == LIBRARY_IN_SUCCESS && !LLVMGetFirstUse(call)) return;
  if (opens_new_only(call)) before(k, call, site, "rt_rec_input", number(k, RT_INPUT_FILE));
  if (r->input == LIBRARY_IN_FD && arg && LLVMTypeOf(arg) == k->i32)
    before(k, call, site, "rt_rec_input_fd", arg);
  else if (r->input == LIBRARY_IN_STREAM && arg && LLVMTypeOf(arg) == k->ptr)
    before(k, call, site, "rt_rec_input_stream", arg);
  else if (r->input == LIBRARY_IN_OPENS_FD && LLVMTypeOf(call) == k->i32)
    behind(k, call, "rt_rec_opened");
  else if (r->input == LIBRARY_IN_OPENS_STREAM && LLVMTypeOf(call) == k->ptr)
    behind(k, call, "rt_rec_opened_stream");
  else
    before(k, call, site, "rt_rec_input", number(k, class_of(r->input)));
}

// f(…) becomes rt_rec_f(site, …): record/instrument does it for sync operations, this for what else has a
// hook.
static bool replaced_by_hook(const Instrumenter *k, const char *name) {
  static const char *const names[] = {"_exit",      "_Exit", "getenv", "secure_getenv",
                                      "quick_exit", "exit",  "fork"};
  enum { ENDS = 2 };  // those at once
  size_t n = k->o->events ? ENDS : sizeof names / sizeof *names;
  for (size_t i = 0; i < n; ++i)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void redirect(Instrumenter *k, LLVMValueRef call, const char *name, uint32_t site) {
  char *hook = mem_format("rt_rec_%s", name);
  LLVMTypeRef old = LLVMGetCalledFunctionType(call), params[2] = {k->i32};
  unsigned n = LLVMGetNumArgOperands(call);
  if (n <= 1 && n == LLVMCountParamTypes(old)) {
    LLVMValueRef args[2] = {number(k, site), n ? LLVMGetArgOperand(call, 0) : NULL};
    if (n) params[1] = LLVMTypeOf(args[1]);
    LLVMTypeRef type = LLVMFunctionType(LLVMGetReturnType(old), params, n + 1, 0);
    LLVMValueRef f = hook_named(k, hook, type), with;
    stand_before(k, call);
    if (LLVMIsAInvokeInst(call))
      with =
          LLVMBuildInvoke2(k->b, type, f, args, n + 1, LLVMGetNormalDest(call), LLVMGetUnwindDest(call), "");
    else
      with = LLVMBuildCall2(k->b, type, f, args, n + 1, "");
    LLVMReplaceAllUsesWith(call, with);
    LLVMInstructionEraseFromParent(call);
  }
  mem_free(hook);
}

// The environment as a whole: through the variable, or main's third parameter.
static void hook_environment(Instrumenter *k) {
  static const char *const names[] = {"environ", "__environ", "_environ"};
  LLVMValueRef main = LLVMGetNamedFunction(k->m, "main");
  bool reads = LLVMCountParams(main) > 2 && LLVMGetFirstUse(LLVMGetParam(main, 2));
  for (int i = 0; i < 3; ++i) {
    LLVMValueRef g = LLVMGetNamedGlobal(k->m, names[i]);
    reads |= g && LLVMIsDeclaration(g) && LLVMGetFirstUse(g);
  }
  if (!reads) return;
  LLVMValueRef args[] = {number(k, RT_SITE_INDIRECT), number(k, RT_INPUT_ENVIRON)};
  stand_before(k, entry_place(main));
  hook_call(k, "rt_rec_input", args, 2);
}

static void hook_call_of(Instrumenter *k, LLVMValueRef call, uint32_t site, const Library **known, bool own) {
  LLVMValueRef f = call_function(call);
  if (!f || !LLVMIsAFunction(f) || own) return;
  const char *name = LLVMGetValueName(f);
  uint32_t id = callgraph_id(k->graph, f);
  const Library *r = id == CALLGRAPH_NONE ? row_of(name) : known[id] ? known[id] : (known[id] = row_of(name));
  if (replaced_by_hook(k, name)) return;
  if (!strncmp(name, "exec", 4) || !strcmp(name, "fexecve")) {
    LLVMValueRef id_of = number(k, site);
    stand_before(k, call);
    hook_call(k, "rt_rec_exec", &id_of, 1);
  } else {
    hook_input(k, call, site, r);
    hook_allocation(k, call, site, name);
    if (!strcmp(name, "vfork")) behind(k, call, "rt_rec_vforked");
  }
}

bool is_resolver(Instrumenter *k, LLVMValueRef f) {
  uint32_t id = callgraph_id(k->graph, f);
  return id != CALLGRAPH_NONE && callgraph_entries(k->graph, id) & ENTRY_RESOLVER;
}

void hook_inputs(Instrumenter *k) {
  const Library **known = mem_array(callgraph_count(k->graph) + 1, sizeof *known);
  hook_environment(k);
  for (uint32_t s = 0, n = sites_count(k->sites); s < n; ++s) {
    LLVMValueRef call = sites_call(k->sites, s), f = call_function(call);
    if (LLVMIsACallBrInst(call) || maysync_operation(k->sync, s)) continue;
    if (is_resolver(k, sites_function(k->sites, s))) continue;
    if (call_is_asm(call))
      before(k, call, s, "rt_rec_input", number(k, RT_INPUT_UNKNOWN));
    else
      hook_call_of(k, call, s, known, !f || !LLVMIsDeclaration(f));
  }
  mem_free(known);
  hook_addresses(k);
}

void redirect_calls(Instrumenter *k) {
  for (uint32_t s = 0, n = sites_count(k->sites); s < n; ++s) {
    if (maysync_operation(k->sync, s)) continue;  // replaced already
    LLVMValueRef call = sites_call(k->sites, s), f = LLVMIsACallBrInst(call) ? NULL : call_function(call);
    if (f && LLVMIsAFunction(f) && LLVMIsDeclaration(f) && replaced_by_hook(k, LLVMGetValueName(f)))
      redirect(k, call, LLVMGetValueName(f), s);
  }
}
