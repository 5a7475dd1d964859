#include "llvm_gap.h"
#include "linker.h"
#include <cassert>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

void gap_target_sections(LLVMTargetMachineRef tm, bool functions, bool data) {
  auto *machine = reinterpret_cast<llvm::TargetMachine *>(tm);
  machine->Options.FunctionSections = functions;
  machine->Options.DataSections = data;
}

void gap_strip_debug(LLVMModuleRef m) {
  llvm::Module &module = *llvm::unwrap(m);
  llvm::StripDebugInfo(module);
  llvm::NamedMDNode *flags = module.getModuleFlagsMetadata();
  if (!flags) return;
  llvm::SmallVector<llvm::MDNode *, 8> kept;
  for (llvm::MDNode *flag : flags->operands()) {
    llvm::StringRef name = llvm::cast<llvm::MDString>(flag->getOperand(1))->getString();
    if (!name.starts_with("Debug") && !name.starts_with("Dwarf") && !name.starts_with("debug-info"))
      kept.push_back(flag);
  }
  flags->clearOperands();
  for (llvm::MDNode *flag : kept) flags->addOperand(flag);
}

struct Linker {
  llvm::Linker linker;
};

Linker *linker_new(LLVMModuleRef into) {
  return new Linker{llvm::Linker(*llvm::unwrap(into))};
}
bool linker_add(Linker *l, LLVMModuleRef m) {
  return l->linker.linkInModule(std::unique_ptr<llvm::Module>(llvm::unwrap(m)));
}
void linker_free(Linker *l) {
  delete l;
}

LLVMModuleRef gap_extract(LLVMModuleRef m, bool (*keep)(void *, LLVMValueRef), void *data) {
  llvm::ValueToValueMapTy copies;
  auto chosen = [&](const llvm::GlobalValue *g) {
    return keep(data, llvm::wrap(const_cast<llvm::GlobalValue *>(g)));
  };
  return llvm::wrap(llvm::CloneModule(*llvm::unwrap(m), copies, chosen).release());
}

static bool of_frame(const llvm::DbgVariableRecord &r) {
  if (r.getType() != llvm::DbgVariableRecord::LocationType::Declare) return false;
  auto *a = llvm::dyn_cast_or_null<llvm::AllocaInst>(r.getVariableLocationOp(0));
  return a && a->isStaticAlloca();
}

static bool move_record(llvm::DbgVariableRecord &r, const VariablesMove *how) {
  for (unsigned i = 0; i < r.getNumVariableLocationOps(); ++i) {
    llvm::Value *old = r.getVariableLocationOp(i);
    bool constant =
        !llvm::isa_and_nonnull<llvm::Instruction>(old) && !llvm::isa_and_nonnull<llvm::Argument>(old);
    if (constant && !how->varies) continue;
    LLVMValueRef made = constant ? nullptr : how->value(how->data, llvm::wrap(old));
    if (!made && !how->unknown) return false;
    if (!made) {
      r.setKillLocation();
      break;
    }
    r.replaceVariableLocationOp(i, llvm::unwrap(made));
  }
  LLVMMetadataRef place = how->place(how->data, llvm::wrap(r.getDebugLoc().get()));
  assert(place);
  r.setDebugLoc(llvm::DebugLoc(llvm::cast<llvm::DILocation>(llvm::unwrap(place))));
  return true;
}

static bool same_constants(const llvm::DbgVariableRecord &a, const llvm::DbgVariableRecord &b) {
  if (a.getVariable() != b.getVariable() || a.getNumVariableLocationOps() != b.getNumVariableLocationOps())
    return false;
  for (unsigned i = 0; i < a.getNumVariableLocationOps(); ++i) {
    const llvm::Value *x = a.getVariableLocationOp(i), *y = b.getVariableLocationOp(i);
    bool constant = llvm::isa_and_nonnull<llvm::Constant>(x) || llvm::isa_and_nonnull<llvm::Constant>(y);
    if (constant && x != y) return false;
  }
  return true;
}

bool gap_same_records(LLVMValueRef a, LLVMValueRef b) {
  auto x = llvm::unwrap<llvm::Instruction>(a)->getDbgRecordRange(),
       y = llvm::unwrap<llvm::Instruction>(b)->getDbgRecordRange();
  auto i = x.begin(), j = y.begin();
  for (; i != x.end() && j != y.end(); ++i, ++j) {
    auto *r = llvm::dyn_cast<llvm::DbgVariableRecord>(&*i), *s = llvm::dyn_cast<llvm::DbgVariableRecord>(&*j);
    if (r && s ? !same_constants(*r, *s) : r || s) return false;
  }
  return i == x.end() && j == y.end();
}

void gap_copy_records(LLVMValueRef from, LLVMValueRef to, bool frame, const VariablesMove *how) {
  auto *before = llvm::unwrap<llvm::Instruction>(to);
  assert(before->getParent());
  for (llvm::DbgRecord &each : llvm::unwrap<llvm::Instruction>(from)->getDbgRecordRange()) {
    auto *r = llvm::dyn_cast<llvm::DbgVariableRecord>(&each);
    if (!r || r->isDbgAssign() || of_frame(*r) != frame) continue;
    llvm::DbgVariableRecord *copy = r->clone();
    if (move_record(*copy, how))
      before->getParent()->insertDbgRecordBefore(copy, before->getIterator());
    else
      copy->deleteRecord();
  }
}

bool gap_same_operation(LLVMValueRef a, LLVMValueRef b) {
  auto *x = llvm::unwrap<llvm::Instruction>(a), *y = llvm::unwrap<llvm::Instruction>(b);
  return x->isSameOperationAs(y) && x->getRawSubclassOptionalData() == y->getRawSubclassOptionalData();
}

void gap_delete_blocks(LLVMBasicBlockRef *blocks, size_t count) {
  llvm::SmallVector<llvm::BasicBlock *, 16> dead;
  for (size_t i = 0; i < count; ++i) dead.push_back(llvm::unwrap(blocks[i]));
  llvm::DeleteDeadBlocks(dead);
}

struct GapLines {
  std::string program;
  llvm::symbolize::LLVMSymbolizer symbolizer;
  llvm::DIInliningInfo found;
};

GapLines *gap_lines_new(const char *program) {
  llvm::symbolize::LLVMSymbolizer::Options o;
  o.PathStyle = llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue;
  o.PrintFunctions = llvm::DILineInfoSpecifier::FunctionNameKind::LinkageName;
  o.Demangle = false;
  return new GapLines{program, llvm::symbolize::LLVMSymbolizer(o), {}};
}
size_t gap_lines_at(GapLines *l, uint64_t address) {
  auto found =
      l->symbolizer.symbolizeInlinedCode(l->program, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return 0;
  }
  l->found = *found;
  bool known = l->found.getNumberOfFrames() && l->found.getFrame(0).Line;
  return known ? l->found.getNumberOfFrames() : 0;
}
void gap_lines_frame(const GapLines *l, size_t i, const char **function, const char **file, unsigned *line,
                     unsigned *column) {
  assert(i < l->found.getNumberOfFrames());
  const llvm::DILineInfo &f = l->found.getFrame(i);
  *function = f.FunctionName.c_str();
  *file = f.FileName.empty() || f.FileName == llvm::DILineInfo::BadString ? nullptr : f.FileName.c_str();
  *line = f.Line;
  *column = f.Column;
}
void gap_lines_free(GapLines *l) {
  delete l;
}

char *gap_demangle(const char *symbol) {
  return strdup(llvm::demangle(symbol).c_str());
}
