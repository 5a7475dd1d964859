// ir/llvm_gap -- what the LLVM-C API cannot say. The only C++ of the project; private to ir.
#pragma once
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "variables.h"

#ifdef __cplusplus
extern "C" {
#endif
// One section per function or variable (-ffunction-sections, -fdata-sections): LLVM-C has no setter.
void gap_target_sections(LLVMTargetMachineRef tm, bool functions, bool data);

// All debug information, and the module flags that are there because of it: LLVM-C strips only the first.
void gap_strip_debug(LLVMModuleRef m);

// A copy of the module, in its context, in which only some symbols are defined: LLVM-C copies all or nothing.
LLVMModuleRef gap_extract(LLVMModuleRef m, bool (*keep)(void *data, LLVMValueRef symbol), void *data);

// Records of variables that stand before one instruction, copied before another: LLVM-C reads none of them.
// Those of what the function's entry reserves, or all others. Labels have none.
void gap_copy_records(LLVMValueRef from, LLVMValueRef to, bool frame, const VariablesMove *how);

// The same operation on operands of the same types, with the same flags: LLVM-C cannot read most of these.
bool gap_same_operation(LLVMValueRef a, LLVMValueRef b);
// Blocks that nothing leads to: LLVM-C would leave records of variables behind.
void gap_delete_blocks(LLVMBasicBlockRef *blocks, size_t count);

// Records before both say the same of the same variables, as far as it is constant.
bool gap_same_records(LLVMValueRef a, LLVMValueRef b);

// Lines of addresses: LLVM-C cannot read debug information of machine code. At: how many frames, kept until
// the next.
typedef struct GapLines GapLines;
GapLines *gap_lines_new(const char *program);
size_t gap_lines_at(GapLines *l, uint64_t address);
void gap_lines_frame(const GapLines *l, size_t i, const char **function, const char **file, unsigned *line,
                     unsigned *column);
void gap_lines_free(GapLines *l);

// The name of a symbol as C++ writes it; free() it.
char *gap_demangle(const char *symbol);
#ifdef __cplusplus
}
#endif
