// cfspec/view -- a specialized module as analyses read it.
#pragma once
#include "ir/ir.h"

// What is left for an analysis of the clones of one schedule, which begins at main's entry: its main is main,
// each event is the program's own call again with the routine that the child runs, a stub goes on in any
// clone of its function, a guard is the end, also one that comes back in a free run, and what cannot be
// reached is gone. The module can be read then, not run. keep: functions that outside code
// may find by name stay. False with an error.
bool cfspec_view(LLVMModuleRef m, uint32_t schedule, bool keep, Diags *diags);
// Rows for AliasOptions.summaries: what the rest of the runtime does to memory, which is nothing.
extern const char *const cfspec_view_summaries[];
// Whose code a function is: false if it is no clone, or one of another kind. activation: UINT32_MAX for the
// one of all of a thread's calls in which nothing happens, because nothing can or nothing did. name_len: how
// much of its name is that of the original.
bool cfspec_clone_of(LLVMValueRef function, uint32_t *thread, uint32_t *activation, size_t *name_len);
// A stub that leads to one clone of the schedule and nowhere else: of this thread.
bool cfspec_leads_to(LLVMValueRef stub, uint32_t *thread);
// The thread that alone runs this function of a view: main, what a thread begins with, a clone. False: there
// may be others.
bool cfspec_owner(LLVMValueRef function, uint32_t *thread);
// A number at an instruction, given before the view is made: what then stands for the instruction has it. A
// call in a view that stands for only a part of what it was has none.
void cfspec_view_number(LLVMValueRef inst, uint32_t number);
bool cfspec_view_numbered(LLVMValueRef inst, uint32_t *number);
// Of a creation in a view: the routine is not a constant there.
bool cfspec_routine_chosen(LLVMValueRef create);
// Of a call in a view: the positions of its first event and its last one in their thread; false: it is none.
bool cfspec_event_of(LLVMValueRef call, uint32_t *thread, uint32_t *first, uint32_t *last);
