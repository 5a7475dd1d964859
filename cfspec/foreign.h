// cfspec/foreign -- code that is not of a schedule and may enter a stub, which then leads to the original:
// what runs before main, handlers of signals, threads that the schedule does not know.
#pragma once
#include "ir/ir.h"

typedef struct Foreign Foreign;
// Of a module with clones, their operations being plain calls. open: outside code may use what it finds by
// name.
Foreign *foreign_new(LLVMModuleRef m, bool open);
void foreign_free(Foreign *f);
void foreign_check(const Foreign *f);                      // asserts that it is whole
bool foreign_enters(const Foreign *f, LLVMValueRef inst);  // the function around it
