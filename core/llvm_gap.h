// core/llvm_gap -- what the LLVM-C API cannot say. The only C++ of the project; private to core.
#pragma once
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
// One section per function or variable (-ffunction-sections, -fdata-sections): LLVM-C has no setter.
void gap_target_sections(LLVMTargetMachineRef tm, bool functions, bool data);
#ifdef __cplusplus
}
#endif
