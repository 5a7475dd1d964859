// ir/site -- the calls of a module by name: function#ordinal. The ordinal counts all calls, invokes and
// callbrs of the function in the order of blocks and instructions; llvm.dbg.* does not count, so that -g
// changes no name (clang emits no other call for it). Functions without a name are called #0, #1 ...
//
// Ids are dense, in module order. The table describes the module as it was when made: take it before
// transforming; ids stay valid, calls that are deleted since do not.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <llvm-c/Core.h>

#define SITE_NONE UINT32_MAX

typedef struct Sites Sites;
Sites *sites_new(LLVMModuleRef m);
void sites_free(Sites *s);
uint32_t sites_count(const Sites *s);
LLVMValueRef sites_call(const Sites *s, uint32_t id);
LLVMValueRef sites_function(const Sites *s, uint32_t id);
uint32_t sites_ordinal(const Sites *s, uint32_t id);
uint32_t sites_id(const Sites *s, LLVMValueRef call);  // SITE_NONE: no call of then
// The name is the caller's to free. The name of a function may itself contain #: the last one counts.
char *sites_name(const Sites *s, uint32_t id);
uint32_t sites_find(const Sites *s, const char *name, size_t len);  // SITE_NONE: no such site
// The sites of one function are first, first + 1 ... ; how many is returned.
uint32_t sites_of(const Sites *s, LLVMValueRef function, uint32_t *first);
void sites_check(const Sites *s);  // asserts that it is whole
