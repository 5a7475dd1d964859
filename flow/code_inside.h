// flow/code_inside -- what flow/code.c and flow/spread.c share. Private to both.
#pragma once
#include "code.h"

#define NOWHERE UINT32_MAX

typedef struct {
  uint32_t first, last;  // events, in the order of the schedule
  LLVMValueRef call;     // NULL: not found, or found twice
} Operation;

typedef struct {
  Vec(Operation) operations;
  uint32_t enter, exit;  // events; SIGMA_NONE
  uint32_t created;      // the event; SIGMA_NONE: of main, or not known
  uint32_t *number;      // of the operation, by position of an event
  uint32_t *beyond;      // by operation: itself, or the next one that stands in the root
  uint32_t root;         // index in functions; NOWHERE
  LLVMValueRef create;
} Thread;

struct Code {
  LLVMModuleRef m;
  const Order *order;
  const Alias *alias;
  bool only_scheduled;
  Vec(CodeFunction) functions;
  Map *ids;
  Map *behind;  // of an instruction in a function with places -> the last operation before it in its block,
                // plus one
  Map *occasional;  // functions that nobody but exit can run, or a loop of events
  Vec(Thread) threads;
};

uint32_t code_id(const Code *c, LLVMValueRef f);  // index in functions; NOWHERE
// NOWHERE: it is none, or one of another thread. thread NOWHERE: of any.
uint32_t code_number(const Code *c, LLVMValueRef call, uint32_t thread);
const char *code_routine(const Code *c, uint32_t thread);  // that it has begun with; NULL: not known
Region code_around(const Code *c, uint32_t thread,
                   uint32_t operation);   // where the functions run that it calls
bool code_placed(const CodeFunction *f);  // its blocks have places of their own

// Of all others: where they stand. Requires that blocks of those are numbered.
void spread_regions(Code *c);
