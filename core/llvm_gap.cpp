#include "llvm_gap.h"
#include <llvm/Target/TargetMachine.h>

void gap_target_sections(LLVMTargetMachineRef tm, bool functions, bool data) {
  auto *machine = reinterpret_cast<llvm::TargetMachine *>(tm);
  machine->Options.FunctionSections = functions;
  machine->Options.DataSections = data;
}
