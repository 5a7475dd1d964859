// record/own_name -- whether a program looks at the name by which it was called.
#pragma once
#include "ir/ir.h"

// Beyond printing it. What functions outside do with all of argv, as getopt does, does not count.
bool own_name_read(LLVMModuleRef m);
