// Dispatch points inside main.
#include "specializer.h"
#include <assert.h>
#include "record/record.h"

static void add_schedule(Points *p, uint32_t schedule, LLVMValueRef at) {
  size_t i = 0;
  while (i < p->points.len && p->points.at[i].at != at) ++i;
  if (i == p->points.len) vec_push(&p->points, ((Point){.at = at}));
  vec_push(&p->points.at[i].schedules, schedule);
  p->of[schedule] = (uint32_t)i;
}

static bool cannot(Module *k, LLVMValueRef at, const char *why) {
  diag_at(k->diags, DIAG_ERROR, at, "a schedule cannot begin here: %s", why);
  return false;
}

static bool cut(Module *k, Point *p) {
  for (all_uses(u, LLVMBasicBlockAsValue(LLVMGetInstructionParent(p->at))))
    if (LLVMIsABlockAddress(LLVMGetUser(u)))
      return cannot(k, p->at, "the address of the basic block is taken");
  p->before = block_cut(k, p->at);
  return true;
}

bool points_make(Points *p, Module *k, const CfspecInput *in) {
  *p = (Points){.main = LLVMGetNamedFunction(k->m, "main")};
  p->of = mem_array(in->count + 1, sizeof *p->of);
  bool ok = true;
  for (uint32_t i = 0; i < in->count; ++i) {
    p->of[i] = UINT32_MAX;
    if (in->sigma->schedules.at[in->schedules[i]]->at_file == SIGMA_NONE) continue;
    LLVMValueRef at = sigma_point(in->sigma, in->schedules[i], k->graph, k->sync, k->diags);
    ok &= at != NULL;
    if (at) add_schedule(p, i, at);
  }
  if (ok && p->points.len && LLVMIsFunctionVarArg(LLVMGlobalGetValueType(p->main)))
    ok = cannot(k, p->points.at[0].at, "main has variable arguments");
  for (size_t i = 0; ok && i < p->points.len; ++i) ok = cut(k, &p->points.at[i]);
  if (ok) CHECKED(points_check(p));
  return ok;
}

static void check_point(const Points *p, uint32_t i) {
  const Point *x = &p->points.at[i];
  LLVMBasicBlockRef block = LLVMGetInstructionParent(x->at);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(x->before);
  assert(LLVMGetBasicBlockParent(block) == p->main);
  for (LLVMValueRef v = LLVMGetFirstInstruction(block); v != x->at; v = LLVMGetNextInstruction(v))
    assert(v && LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)));  // by reg2mem
  assert(LLVMGetNumSuccessors(end) == 1 && LLVMGetSuccessor(end, 0) == block);
  assert(x->schedules.len);
  for (vec_each(k, &x->schedules)) {
    assert(p->of[x->schedules.at[k]] == i);
    assert(!k || x->schedules.at[k - 1] < x->schedules.at[k]);
  }
}

void points_check(const Points *p) {
  for (uint32_t i = 0; i < p->points.len; ++i) check_point(p, i);
  assert(p->points.len || (!p->locals.len && !p->own));
  for (vec_each(i, &p->locals)) {
    assert(LLVMIsAAllocaInst(p->locals.at[i]));
    assert(LLVMGetInstructionParent(p->locals.at[i]) == LLVMGetEntryBasicBlock(p->main));
  }
  assert(!p->choice == !p->argc && !p->choice == !p->argv);
}

void points_free(Points *p) {
  for (vec_each(i, &p->points)) vec_free(&p->points.at[i].schedules);
  vec_free(&p->points);
  vec_free(&p->locals);
  mem_free(p->of), mem_free(p->own);
}

static bool is_intrinsic(LLVMValueRef i, const char *name) {
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  return f && LLVMIsAFunction(f) && !strncmp(LLVMGetValueName(f), name, strlen(name));
}

// Reads and writes memory there, and keeps no address.
static bool is_access(LLVMValueRef i, LLVMValueRef address) {
  if (LLVMIsALoadInst(i)) return !LLVMGetVolatile(i);
  if (LLVMIsAStoreInst(i)) return !LLVMGetVolatile(i) && LLVMGetOperand(i, 0) != address;
  bool block = is_intrinsic(i, "llvm.memcpy.") || is_intrinsic(i, "llvm.memset.");
  return is_intrinsic(i, "llvm.lifetime.") || (block && LLVMIsNull(LLVMGetOperand(i, 3)));
}

static bool is_accessed_only(LLVMValueRef address) {
  for (all_uses(u, address)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAGetElementPtrInst(i) ? !is_accessed_only(i) : !is_access(i, address)) return false;
  }
  return true;
}

static uint64_t size_of(LLVMValueRef alloca) {
  LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(alloca)));
  uint64_t one = LLVMABISizeOfType(LLVMGetModuleDataLayout(m), LLVMGetAllocatedType(alloca));
  return one * LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
}

// What is larger is not copied.
enum { LARGEST_OWN = 1024 };
static bool is_own(LLVMValueRef alloca) {
  return LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) && size_of(alloca) <= LARGEST_OWN &&
         is_accessed_only(alloca);
}

void points_locals(Points *p) {
  if (!p->points.len) return;
  for (all_insts(i, LLVMGetEntryBasicBlock(p->main)))
    if (LLVMIsAAllocaInst(i)) vec_push(&p->locals, i);
  p->own = mem_array(p->locals.len + 1, sizeof *p->own);
  for (vec_each(i, &p->locals)) p->own[i] = is_own(p->locals.at[i]);
}

LLVMTypeRef point_clone_type(Module *k, LLVMValueRef main) {
  LLVMTypeRef type = LLVMGlobalGetValueType(main), types[4];
  unsigned n = LLVMCountParamTypes(type);
  LLVMGetParamTypes(type, types);
  types[n] = k->ptr;
  return LLVMFunctionType(LLVMGetReturnType(type), types, n + 1, 0);
}

static void copy(Module *k, LLVMValueRef to, LLVMValueRef from, LLVMValueRef like) {
  unsigned align = LLVMGetAlignment(like);
  LLVMBuildMemCpy(k->b, to, align, from, align, LLVMConstInt(k->i64, size_of(like), 0));
}

static LLVMValueRef slot(Module *k, LLVMValueRef array, size_t i) {
  LLVMValueRef index = LLVMConstInt(k->i64, i, 0);
  return LLVMBuildInBoundsGEP2(k->b, k->ptr, array, &index, 1, "");
}

void point_frame(Cloner *c) {
  Module *k = c->k;
  const Points *p = c->s->points;
  LLVMValueRef array = LLVMGetLastParam(c->clone);
  for (vec_each(i, &p->locals))
    if (p->own[i]) clone_instruction(c, p->locals.at[i]);
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  for (vec_each(i, &p->locals)) {
    LLVMValueRef local = p->locals.at[i];
    LLVMValueRef from = LLVMBuildLoad2(k->b, k->ptr, slot(k, array, i), "");
    if (p->own[i])
      copy(k, mapped(c, local), from, local);
    else
      map_put(c->values, map_key(local), map_key(from));
  }
}

// Whether this is a mark of the stack that the clone itself has made.
static bool is_saved_behind(const Cloner *c, LLVMValueRef v) {
  if (!is_intrinsic(v, "llvm.stacksave")) return false;
  const Point *p = c->s->point;
  Cfg *cfg = cfg_new(c->original);
  bool *mark = mem_array(cfg_count(cfg), sizeof *mark);
  cfg_mark_to(cfg, cfg_id(cfg, p->before), mark);
  bool behind = !mark[cfg_of(cfg, v)];
  mem_free(mark);
  cfg_free(cfg);
  return behind;
}

// Where a mark is kept in memory: one of ours if all that is ever stored there are.
static bool restores_own(const Cloner *c, LLVMValueRef v) {
  if (!LLVMIsALoadInst(v)) return LLVMIsAInstruction(v) && is_saved_behind(c, v);
  LLVMValueRef kept = LLVMGetOperand(v, 0);
  if (!LLVMIsAAllocaInst(kept) || !is_own(kept)) return false;
  for (all_uses(u, kept)) {
    LLVMValueRef i = LLVMGetUser(u);
    bool stores = LLVMIsAStoreInst(i) != NULL;
    if (stores ? !restores_own(c, LLVMGetOperand(i, 0)) : !LLVMIsALoadInst(i)) return false;
  }
  return true;
}

// The stack is not to be cut back to where main stood: this would take the clone's own frame. Locals that are
// main's live as long as main.
bool point_drops(Cloner *c, LLVMValueRef i) {
  if (is_intrinsic(i, "llvm.lifetime.")) return true;
  return is_intrinsic(i, "llvm.stackrestore") && !restores_own(c, LLVMGetOperand(i, 0));
}

static LLVMValueRef state(Module *k, LLVMTypeRef type, LLVMValueRef initial, const char *name) {
  LLVMValueRef g = LLVMAddGlobal(k->m, type, name);
  LLVMSetInitializer(g, initial);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return g;
}

void points_state(Points *p, Module *k) {
  if (!p->points.len) return;
  LLVMValueRef none = LLVMConstInt(k->i64, (uint64_t)(int64_t)RT_CHOICE_NONE, 1);
  p->choice = state(k, k->i64, none, "specialize.choice");
  p->argc = state(k, k->i32, LLVMConstInt(k->i32, 0, 0), "specialize.argc");
  p->argv = state(k, k->ptr, LLVMConstNull(k->ptr), "specialize.argv");
  CHECKED(points_check(p));
}

static LLVMValueRef runtime_call(Module *k, const char *name, LLVMTypeRef result, LLVMTypeRef takes,
                                 LLVMValueRef arg) {
  LLVMTypeRef type = LLVMFunctionType(result, &takes, arg != NULL, 0);
  return LLVMBuildCall2(k->b, type, runtime_function(k, name, type, true), &arg, arg != NULL, "");
}

typedef struct {
  Points *all;
  const Point *p;
  Module *k;
  LLVMBasicBlockRef on;  // the original goes on
  LLVMValueRef array;
  LLVMValueRef *copies;  // by local: of those that are main's own
} Choice;

// In main's entry: what the addresses of its locals are handed over in.
static void reserve(Choice *c) {
  Module *k = c->k;
  size_t n = c->all->locals.len;
  LLVMPositionBuilderBefore(k->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(c->all->main)));
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  c->array = LLVMBuildAlloca(k->b, LLVMArrayType2(k->ptr, n + 1), "");
  c->copies = mem_array(n + 1, sizeof *c->copies);
  for (size_t i = 0; i < n; ++i) {
    LLVMValueRef local = c->all->locals.at[i];
    if (!c->all->own[i]) continue;
    c->copies[i] = LLVMBuildArrayAlloca(k->b, LLVMGetAllocatedType(local), LLVMGetOperand(local, 0), "");
    LLVMSetAlignment(c->copies[i], LLVMGetAlignment(local));
  }
}

// Copies, so that no address of a local escapes here that the original could keep in a register.
static void hand_over(Choice *c) {
  for (vec_each(i, &c->all->locals)) {
    LLVMValueRef local = c->all->locals.at[i];
    if (c->copies[i]) copy(c->k, c->copies[i], local, local);
    LLVMBuildStore(c->k->b, c->copies[i] ? c->copies[i] : local, slot(c->k, c->array, i));
  }
}

static LLVMBasicBlockRef new_block(const Choice *c, const char *name) {
  return LLVMAppendBasicBlockInContext(c->k->c, c->all->main, name);
}

static void begin_schedule(Choice *c, LLVMValueRef id, LLVMValueRef clone, LLVMValueRef descriptor) {
  Module *k = c->k;
  LLVMBasicBlockRef begin = new_block(c, "begin"), crowded = new_block(c, "crowded");
  LLVMTypeRef types[] = {k->i64, k->ptr}, type = LLVMFunctionType(k->i32, types, 2, 0);
  LLVMValueRef ask = runtime_function(k, "rt_enf_ready_alone", type, true), asked[] = {id, descriptor};
  LLVMValueRef alone = LLVMBuildCall2(k->b, type, ask, asked, 2, "");
  LLVMBuildCondBr(k->b, LLVMBuildIsNull(k->b, alone, ""), crowded, begin);
  LLVMPositionBuilderAtEnd(k->b, crowded);
  LLVMBuildStore(k->b, LLVMConstInt(k->i64, (uint64_t)(int64_t)RT_CHOICE_NONE, 1), c->all->choice);
  LLVMBuildBr(k->b, LLVMGetInstructionParent(c->p->at));
  LLVMPositionBuilderAtEnd(k->b, begin);
  runtime_call(k, "rt_select_tell", k->none, k->i64, id);
  runtime_call(k, "rt_enf_begin", k->none, k->ptr, descriptor);
  LLVMValueRef args[4];
  unsigned n = LLVMCountParams(c->all->main);
  LLVMGetParams(c->all->main, args);
  args[n] = c->array;
  LLVMValueRef result = LLVMBuildCall2(k->b, LLVMGlobalGetValueType(clone), clone, args, n + 1, "");
  if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(k->b);
  else
    LLVMBuildRet(k->b, result);
}

static LLVMValueRef tested(Choice *c, LLVMValueRef select) {
  Module *k = c->k;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(k->b), test = new_block(c, "test"), go = new_block(c, "go");
  LLVMValueRef choice = LLVMBuildLoad2(k->b, k->i64, c->all->choice, "");
  LLVMValueRef ask = LLVMConstInt(k->i64, (uint64_t)(int64_t)RT_CHOICE_TEST, 1);
  LLVMBuildCondBr(k->b, LLVMBuildICmp(k->b, LLVMIntEQ, choice, ask, ""), test, go);
  LLVMPositionBuilderAtEnd(k->b, test);
  LLVMValueRef args[] = {LLVMBuildLoad2(k->b, k->i32, c->all->argc, ""),
                         LLVMBuildLoad2(k->b, k->ptr, c->all->argv, ""), c->array};
  LLVMValueRef found = LLVMBuildCall2(k->b, LLVMGlobalGetValueType(select), select, args, 3, "");
  LLVMBuildBr(k->b, go);
  LLVMPositionBuilderAtEnd(k->b, go);
  LLVMValueRef id = LLVMBuildPhi(k->b, k->i64, "");
  LLVMAddIncoming(id, (LLVMValueRef[]){choice, found}, (LLVMBasicBlockRef[]){here, test}, 2);
  return id;
}

// Whether another point may come behind this one.
static bool is_last(const Points *all, const Point *p) {
  Cfg *cfg = cfg_new(all->main);
  bool *mark = mem_array(cfg_count(cfg), sizeof *mark), last = true;
  cfg_mark_from(cfg, cfg_of(cfg, p->at), mark);
  for (vec_each(i, &all->points)) last &= !mark[cfg_id(cfg, all->points.at[i].before)];
  mem_free(mark);
  cfg_free(cfg);
  return last;
}

static LLVMValueRef selector(Choice *c, const CfspecInput *in) {
  const Point *p = c->p;
  uint32_t *ids = mem_array(p->schedules.len + 1, sizeof *ids);
  for (vec_each(i, &p->schedules)) ids[i] = in->schedules[p->schedules.at[i]];
  DispatchPlace place = {c->all->main, p->at, c->all->locals.at, c->all->locals.len};
  LLVMValueRef f = dispatch_function(c->k->m, in->sigma, ids, p->schedules.len, &place, c->k->diags);
  mem_free(ids);
  return f;
}

static bool emit_point(Choice *c, const CfspecInput *in, const LLVMValueRef *mains,
                       const LLVMValueRef *descriptors) {
  Module *k = c->k;
  const Point *p = c->p;
  bool last = is_last(c->all, p);
  LLVMValueRef select = selector(c, in);
  if (!select) return false;
  reserve(c);
  LLVMBasicBlockRef point = new_block(c, "point");
  c->on = new_block(c, "on");
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(p->before), 0, point);
  LLVMPositionBuilderAtEnd(k->b, point);
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(p->at));
  hand_over(c);
  LLVMValueRef id = tested(c, select);
  LLVMValueRef to = LLVMBuildSwitch(k->b, id, c->on, (unsigned)p->schedules.len);
  for (vec_each(i, &p->schedules)) {
    uint32_t schedule = p->schedules.at[i];
    LLVMBasicBlockRef b = new_block(c, "schedule");
    LLVMAddCase(to, LLVMConstInt(k->i64, in->schedules[schedule], 0), b);
    LLVMPositionBuilderAtEnd(k->b, b);
    begin_schedule(c, id, mains[schedule], descriptors[schedule]);
  }
  LLVMPositionBuilderAtEnd(k->b, c->on);
  if (last) runtime_call(k, "rt_select_none", k->none, k->none, NULL);
  LLVMBuildBr(k->b, LLVMGetInstructionParent(p->at));
  return true;
}

bool points_emit(Points *p, Module *k, const CfspecInput *in, const LLVMValueRef *mains,
                 const LLVMValueRef *descriptors) {
  bool ok = true;
  for (size_t i = 0; ok && i < p->points.len; ++i) {
    Choice c = {.all = p, .p = &p->points.at[i], .k = k};
    ok = emit_point(&c, in, mains, descriptors);
    mem_free(c.copies);
  }
  return ok;
}
