// What analyses read of one schedule of a program with C++ threads: a thread's routine is a virtual function
// of an object that the library is given, so the code itself must lead to the clone.
#undef NDEBUG
#include "alias/alias.h"
#include "calls.h"
#include "cfspec/cfspec.h"

#define START "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"
#define NAMED "_ZNSt6thread11_State_implE"
#define NAME NAMED "6_M_runEv"

static const char ir[] =
    "@vtable = internal constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr null, ptr @gone, ptr @" NAMED
    "D0Ev, ptr @" NAME
    "] }\n"
    "@lock = internal global [40 x i8] zeroinitializer\n"
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare i32 @pthread_mutex_unlock(ptr)\n"
    "declare void @" START
    "(ptr, ptr, ptr)\n"
    "declare void @_ZNSt6thread4joinEv(ptr)\n"
    "declare ptr @_Znwm(i64)\n"
    "define internal void @gone(ptr %this) {\n"
    "  ret void\n"
    "}\n"
    "define internal void @" NAMED
    "D0Ev(ptr %this) {\n"
    "  ret void\n"
    "}\n"
    "define internal void @" NAME
    "(ptr %this) {\n"
    "  %a = call i32 @pthread_mutex_lock(ptr @lock)\n"
    "  %field = getelementptr i8, ptr %this, i64 8\n"
    "  %cell = load ptr, ptr %field\n"
    "  store i64 1, ptr %cell\n"
    "  %b = call i32 @pthread_mutex_unlock(ptr @lock)\n"
    "  ret void\n"
    "}\n"
    "define i32 @main() {\n"
    "  %thread = alloca i64\n"
    "  %unique = alloca ptr\n"
    "  %given = alloca i64\n"
    "  %kept = alloca i64\n"
    "  %state = call ptr @_Znwm(i64 16)\n"
    "  store ptr getelementptr ({ [5 x ptr] }, ptr @vtable, i64 0, i32 0, i64 2), ptr %state\n"
    "  %field = getelementptr i8, ptr %state, i64 8\n"
    "  store ptr %given, ptr %field\n"
    "  store ptr %state, ptr %unique\n"
    "  store i64 2, ptr %kept\n"
    "  call void @" START
    "(ptr %thread, ptr %unique, ptr null)\n"
    "  call void @_ZNSt6thread4joinEv(ptr %thread)\n"
    "  %result = load i64, ptr %given\n"
    "  ret i32 0\n"
    "}\n";

static const char schedule[] =
    "origin recorded argv \"./app\" exit 0\norder hb\nat main\nwhen by-hand true\nobject m0 mutex name lock\n"
    "t0 create 0 t1\nt1 enter " NAME
    "\nt1 lock 1 m0\nt1 unlock 2 m0\nt1 exit\nt0 join 3 t1\nt0 exit\nend 7\n";

static Sigma *sigma_of(Diags *d) {
  char *text = mem_format(
      "sigma 1\nprogram app\nmodule 00000000000000000000000000000000\nschedules 2\n"
      "site 0 main#1 create\nsite 1 %s#0 lock\nsite 2 %s#1 unlock\nsite 3 main#2 join\n"
      "schedule 0\n%sschedule 1\n%s",
      NAME, NAME, schedule, schedule);
  Sigma *s = sigma_parse(span_of(text, strlen(text)), "app.sigma", d);
  if (!s) diags_print(d, stderr, "view");
  assert(s);
  mem_free(text);
  return s;
}

static LLVMValueRef first_number_stored(LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (LLVMIsAStoreInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0))) return i;
  assert(false);
}

static uint32_t object_at(const Alias *a, LLVMValueRef pointer) {
  AliasRanges r = {0};
  alias_points_to(a, pointer, &r);
  assert(r.len == 1);
  uint32_t o = r.at[0].object;
  vec_free(&r);
  return o;
}

static LLVMValueRef called(LLVMValueRef f, const char *name) {
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (call_is(i) && call_function(i) && !strcmp(LLVMGetValueName(call_function(i)), name)) return i;
  return NULL;
}

static void test_code(LLVMModuleRef m, LLVMValueRef main, LLVMValueRef clone) {
  LLVMValueRef create = called(main, "pthread_create"), routine;
  uint32_t thread, first, last;
  assert(!called(main, START) && called(main, "_ZNSt6thread4joinEv"));
  assert(create && cfspec_event_of(create, &thread, &first, &last) && !thread && !first && !last);
  routine = LLVMGetOperand(create, 2);
  assert(called(routine, LLVMGetValueName(clone)) && called(routine, NAMED "D0Ev"));
  assert(!LLVMGetNamedFunction(m, NAME));  // nobody else can enter it
  assert(called(clone, "pthread_mutex_lock") && called(clone, "pthread_mutex_unlock"));
  for (all_functions(f, m)) {
    assert(!strstr(LLVMGetValueName(f), ".s1."));  // the other schedule's clones
    assert(strcmp(LLVMGetValueName(f), "main.original"));
    assert(LLVMIsDeclaration(f) || f == main || LLVMGetLinkage(f) == LLVMInternalLinkage);
  }
}

// The clone writes what main has given away, which so is shared; and nothing else of main's.
static void test_answers(LLVMModuleRef m, LLVMValueRef main, LLVMValueRef clone) {
  AliasOptions how = {.summaries = cfspec_view_summaries};
  Alias *a = alias_new(m, &how, NULL);
  LLVMValueRef write = first_number_stored(clone), kept = first_number_stored(main);
  uint32_t given = object_at(a, LLVMGetOperand(write, 1)), own = object_at(a, LLVMGetOperand(kept, 1));
  assert(given && own && given != own);
  AliasObject x = alias_object(a, given);
  assert(x.kind == ALIAS_STACK && LLVMGetBasicBlockParent(LLVMGetInstructionParent(x.value)) == main);
  assert(alias_shared(a, given) && !alias_shared(a, own));
  bool found = false;
  for (uint32_t t = 1; t < alias_threads(a); ++t) found |= alias_thread_runs(a, t, clone);
  assert(found && !alias_thread_runs(a, 0, clone));
  alias_free(a);
}

int main(void) {
  Diags *d = diags_new();
  Calls c = calls_of(ir);
  Sigma *s = sigma_of(d);
  uint32_t both[] = {0, 1};
  CfspecInput in = {.module = c.module, .sites = c.sites, .graph = c.graph, .sync = c.may, .sigma = s};
  CfspecFigures figures;
  in.schedules = both, in.count = 2, in.budget = 10000, in.soften = true;
  bool ok = cfspec_specialize(&in, &figures, d) && cfspec_view(c.module, 0, false, d);
  if (!ok) diags_print(d, stderr, "view");
  assert(ok);
  LLVMValueRef main_function = LLVMGetNamedFunction(c.module, "main"), clone = NULL;
  uint32_t thread, activation;
  size_t len;
  for (all_functions(f, c.module))
    if (cfspec_clone_of(f, &thread, &activation, &len) && thread == 1 && activation != UINT32_MAX) clone = f;
  assert(clone);
  test_code(c.module, main_function, clone);
  test_answers(c.module, main_function, clone);
  sigma_free(s);
  calls_free(&c);
  diags_free(d);
  return 0;
}
