#include "occasion.h"

static const char *name_of(LLVMValueRef call) {
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  size_t len;
  return f && LLVMIsDeclaration(f) ? LLVMGetValueName2(f, &len) : "";
}

// As what atexit and the like take, and for nothing else.
static bool is_registration(LLVMValueRef call, LLVMValueRef f, LibraryWhen when) {
  const LibraryCall *rows;
  if (!call_is(call)) return false;
  size_t count = library_calls(name_of(call), &rows), uses = 0;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) uses += LLVMGetOperand(call, i) == f;
  return uses == 1 && count == 1 && rows[0].when == when && rows[0].arg != LIBRARY_MEMORY &&
         LLVMGetOperand(call, rows[0].arg) == f;
}

static bool is_callee(LLVMValueRef call, LLVMValueRef f) {
  if (!call_is(call) || call_function(call) != f) return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i)
    if (LLVMGetOperand(call, i) == f) return false;
  return true;
}

void occasion_only(LLVMModuleRef m, LibraryWhen when, AliasFunctions *out) {
  for (all_functions(f, m)) {
    bool registered = false, only = !LLVMIsDeclaration(f);
    for (all_uses(u, f)) {
      bool is = is_registration(LLVMGetUser(u), f, when);
      registered |= is;
      only &= is || is_callee(LLVMGetUser(u), f);
    }
    if (registered && only) vec_push(out, f);
  }
}

static bool has_one_use(LLVMValueRef f) {
  LLVMUseRef u = LLVMGetFirstUse(f);
  return u && !LLVMGetNextUse(u);
}

static void add_only(const Mentions *listed, AliasFunctions *out) {
  for (size_t i = 0; i < mentions_count(listed); ++i) {
    LLVMValueRef f = mentions_at(listed, i);
    if (LLVMIsAFunction(f) && !LLVMIsDeclaration(f) && has_one_use(f)) vec_push(out, f);
  }
}

void occasion_constructors(LLVMModuleRef m, AliasFunctions *out) {
  Mentions *listed = mentions_new(false);
  startup_functions(m, listed);
  add_only(listed, out);
  mentions_free(listed);
}

void occasion_destructors(LLVMModuleRef m, AliasFunctions *out) {
  Mentions *listed = mentions_new(false);
  shutdown_functions(m, listed);
  add_only(listed, out);
  mentions_free(listed);
}

// A destructor of C++ runs as the process ends, too, in the thread that ends it.
bool occasion_of_thread_only(LLVMValueRef f) {
  for (all_uses(u, f))
    if (!strncmp(name_of(LLVMGetUser(u)), "__cxa_", 6)) return false;
  return true;
}

bool occasion_ends(LLVMValueRef call) {
  return library_runs(name_of(call), LIBRARY_AT_EXIT);
}

bool occasion_loops(LLVMValueRef call) {
  return library_runs(name_of(call), LIBRARY_IN_LOOP);
}

bool occasion_lingers(LLVMValueRef call) {
  const char *name = name_of(call);
  return !occasion_ends(call) && library_runs(name, LIBRARY_AT_THREAD_EXIT);
}
