#include "belongs.h"
#include <assert.h>
#include <stdio.h>
#include "view.h"

bool cfspec_belongs(LLVMValueRef g, uint32_t *schedule, uint32_t *thread) {
  assert(g && schedule && thread);
  uint32_t activation;
  size_t len, name_len;
  const char *name = LLVMGetValueName2(g, &len);
  *thread = 0;
  if (LLVMIsAFunction(g))
    return cfspec_clone_of(g, thread, &activation, &name_len) &&
           sscanf(name + name_len, ".s%u", schedule) == 1;
  if (!LLVMIsAGlobalVariable(g) || !LLVMIsGlobalConstant(g)) return false;
  return sscanf(name, "specialize.s%u.t%u.", schedule, thread) == 2 ||
         sscanf(name, "specialize.schedule.%u", schedule) == 1;
}
