#include "foreign.h"
#include <assert.h>
#include "alias/alias.h"
#include "cfspec.h"

struct Foreign {
  Alias *alias;
  IdVec threads;  // of alias
  bool anything;  // any stub may be entered
};

// -- what runs before main, with what it leaves to be called

// Functions that a call names are looked at in turn; false: it may call others.
static bool calls_known(LLVMValueRef call, Mentions *seen) {
  LLVMValueRef f = call_function(call);
  const LibraryCall *rows;
  if (call_is_asm(call)) return true;
  if (!f) return false;
  mentions_add(seen, f);
  if (!LLVMIsDeclaration(f)) return true;
  const char *name = LLVMGetValueName(f);
  unsigned args = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < args; ++i) {
    LLVMValueRef given = call_strip(LLVMGetOperand(call, i));
    if (LLVMIsAFunction(given)) mentions_add(seen, given);
  }
  for (size_t i = 0, n = library_calls(name, &rows); i < n; ++i)
    if (rows[i].arg >= args || !LLVMIsAFunction(call_strip(LLVMGetOperand(call, rows[i].arg)))) return false;
  return library_trust(name) != LIBRARY_UNKNOWN;
}

static bool asks(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  return f && !strcmp(LLVMGetValueName(f), "rt_enf_stub");
}

static bool constructors_enter(LLVMModuleRef m) {
  Mentions *seen = mentions_new(true);
  bool found = false;
  startup_functions(m, seen);
  for (size_t i = 0; i < mentions_count(seen) && !found; ++i) {
    LLVMValueRef f = mentions_at(seen, i);
    if (!LLVMIsAFunction(f) || LLVMIsDeclaration(f)) continue;
    for (all_blocks(b, f))
      for (all_insts(k, b)) found |= call_is(k) && (asks(k) || !calls_known(k, seen));
  }
  mentions_free(seen);
  return found;
}

// -- handlers of signals, and threads of others

// Of what it is given, some will run beside the threads of the schedule.
static bool starts_others(LLVMValueRef f) {
  const LibraryCall *rows;
  const Sync *sync = sync_find(LLVMGetValueName(f));
  size_t count = !sync && LLVMIsDeclaration(f) ? library_calls(LLVMGetValueName(f), &rows) : 0;
  for (size_t i = 0; i < count; ++i)
    if (rows[i].when == LIBRARY_ON_SIGNAL || rows[i].when == LIBRARY_THREAD) return true;
  return false;
}

// By a pointer it may be given anything.
static bool is_called_by_pointer(LLVMValueRef f) {
  for (all_uses(u, f)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!call_is(user) || call_function(user) != f) return true;
  }
  return false;
}

static bool may_start_anything(LLVMModuleRef m) {
  for (all_functions(f, m))
    if (starts_others(f) && is_called_by_pointer(f)) return true;
  return false;
}

// What no call starts, or outside code enters, may be one too.
static bool is_foreign(AliasThread t) {
  const Sync *sync = t.create ? sync_of_call(t.create) : NULL;
  uint32_t thread, first, last;
  if (!sync || sync->kind != SYNC_CREATE) return true;
  return !cfspec_event_of(t.create, &thread, &first, &last);
}

Foreign *foreign_new(LLVMModuleRef m, bool open) {
  Foreign *f = mem_alloc(sizeof *f);
  AliasOptions how = {.open = open, .summaries = cfspec_view_summaries};
  f->anything = constructors_enter(m) || may_start_anything(m);
  f->alias = alias_new(m, &how, NULL);
  for (uint32_t t = 1; t < alias_threads(f->alias); ++t)
    if (is_foreign(alias_thread(f->alias, t))) vec_push(&f->threads, t);
  CHECKED(foreign_check(f));
  return f;
}

// Thread 0, which is main, is never among them.
void foreign_check(const Foreign *f) {
  for (vec_each(i, &f->threads)) {
    uint32_t t = f->threads.at[i];
    assert(t && t < alias_threads(f->alias) && is_foreign(alias_thread(f->alias, t)));
    assert(!i || f->threads.at[i - 1] < t);
  }
}

void foreign_free(Foreign *f) {
  if (!f) return;
  alias_free(f->alias);
  vec_free(&f->threads);
  mem_free(f);
}

bool foreign_enters(const Foreign *f, LLVMValueRef inst) {
  assert(LLVMIsAInstruction(inst));
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  if (f->anything) return true;
  for (vec_each(i, &f->threads))
    if (alias_thread_runs(f->alias, f->threads.at[i], function)) return true;
  return false;
}
