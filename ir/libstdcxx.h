// ir/libstdcxx -- the C++ library of this machine, by its file: the names that it exports, and what its
// vtables hold. Nothing is known where there is none, or of names that it does not have.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Core.h>

bool libstdcxx_exports(const char *name);    // a function or a variable
const char *libstdcxx_function(size_t i);    // NULL behind the last; slow
// Vtables that the module only declares get the library's contents, so that calls through them lead
// somewhere. For a module that is analysed and not built. Functions of the library that have no name are
// LIBSTDCXX_LOCAL.
void libstdcxx_fill(LLVMModuleRef m);
#define LIBSTDCXX_LOCAL "specialize.libstdcxx"
// The vtable of the class whose constructor this is; NULL: the module has not been filled, or there is none.
// several: its objects hold more addresses in it than that at their beginning.
LLVMValueRef libstdcxx_vtable(LLVMModuleRef m, const char *constructor, bool *several);
bool libstdcxx_is_stream(const char *name);  // std::cout and its kin, which threads may share
void libstdcxx_check(void);                  // asserts that what was read is whole
