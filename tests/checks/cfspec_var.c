// cfspec/dispatch_var: what variables_check notices.
#undef NDEBUG
#include "cfspec/dispatch_var.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *v) {
  variables_check(v);
}

int main(void) {
  Sample x = sample_new();
  LLVMValueRef id = local_of(x.c.module, "main", "id");
  DispatchPlace place = {.main = LLVMGetNamedFunction(x.c.module, "main"), .at = id};
  Variables *v = variables_new(x.c.module, &place);
  LLVMValueRef lock = LLVMGetNamedGlobal(x.c.module, "lock");
  vec_push(&v->globals, ((Named){.memory = lock, .name = "lock", .file = "app.c", .far = UINT32_MAX}));
  vec_push(&v->locals, ((Named){.memory = id, .name = "id", .far = 1}));
  variables_check(v);
  v->globals.at[0].file = NULL;  // then it is a local
  dies_in("variables_check", check, v);
  v->globals.at[0].file = "app.c", v->globals.at[0].far = 0;  // outside of functions, and in a block
  dies_in("variables_check", check, v);
  v->globals.at[0].far = UINT32_MAX, v->globals.at[0].memory = id;
  dies_in("variables_check", check, v);
  v->globals.at[0].memory = lock;
  v->locals.at[0].memory = local_of(x.c.module, "helper", "a");  // of another function
  dies_in("variables_check", check, v);
  v->locals.at[0].memory = id, v->place = NULL;
  dies_in("variables_check", check, v);
  variables_free(v);
  sample_free(&x);
  return 0;
}
