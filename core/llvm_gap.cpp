#include "llvm_gap.h"
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Target/TargetMachine.h>

void gap_target_sections(LLVMTargetMachineRef tm, bool functions, bool data) {
  auto *machine = reinterpret_cast<llvm::TargetMachine *>(tm);
  machine->Options.FunctionSections = functions;
  machine->Options.DataSections = data;
}

struct GapLinker {
  llvm::Linker linker;
};

GapLinker *gap_linker_new(LLVMModuleRef into) {
  return new GapLinker{llvm::Linker(*llvm::unwrap(into))};
}
bool gap_linker_add(GapLinker *l, LLVMModuleRef m) {
  return l->linker.linkInModule(std::unique_ptr<llvm::Module>(llvm::unwrap(m)));
}
void gap_linker_free(GapLinker *l) {
  delete l;
}
