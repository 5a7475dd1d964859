#include "access.h"

struct Accesses {
  Vec(Access) all;
  Map *first;  // by instruction, plus one
  Lists writes, any;
};

static bool is_atomic(LLVMValueRef i) {
  if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) return true;
  return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

// libstdc++ destroys what it keeps for a thread in that thread, behind its routine; who made it created the
// thread behind that. So what the destructor touches in the object itself is ordered.
static bool is_own_state(LLVMValueRef function, LLVMValueRef pointer) {
  static const char prefix[] = "_ZNSt6thread11_State_impl";
  size_t len;
  const char *name = LLVMGetValueName2(function, &len);
  if (len < sizeof prefix + 4 || strncmp(name, prefix, sizeof prefix - 1)) return false;
  if (strcmp(name + len - 4, "D0Ev") && strcmp(name + len - 4, "D2Ev")) return false;
  while (pointer && LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return pointer && pointer == LLVMGetParam(function, 0);
}

static void add_of(Accesses *v, const Code *c, const Alias *a, const CodeFunction *f, LLVMValueRef inst) {
  AliasAccesses found = {0};
  alias_accesses(a, inst, &found);
  size_t before = v->all.len;
  for (vec_each(i, &found)) {
    if (is_own_state(f->function, found.at[i].pointer)) {
      vec_free(&found.at[i].ranges);
      continue;
    }
    Access x = {.inst = inst, .pointer = found.at[i].pointer, .kind = found.at[i].kind, .function = f};
    x.atomic = is_atomic(inst);
    x.ranges.at = found.at[i].ranges.at, x.ranges.len = found.at[i].ranges.len,
    x.ranges.cap = found.at[i].ranges.cap;
    x.bytes = x.ranges.len ? x.ranges.at[0].bytes : ALIAS_REST;
    code_regions(c, inst, &x.regions);
    vec_push(&v->all, x);
  }
  if (v->all.len > before) map_put(v->first, map_key(inst), before + 1);
  vec_free(&found);
}

static Lists by_object(const Accesses *v, uint32_t objects, unsigned kinds) {
  Pairs pairs = {0};
  for (vec_each(i, &v->all)) {
    const Access *x = &v->all.at[i];
    uint32_t last = UINT32_MAX;
    if (!(x->kind & kinds)) continue;
    for (vec_each(k, &x->ranges)) {  // by object, mostly: a repetition does no harm
      if (x->ranges.at[k].object != last) pairs_add(&pairs, x->ranges.at[k].object, (uint32_t)i);
      last = x->ranges.at[k].object;
    }
  }
  Lists l = lists_new(objects, &pairs);
  vec_free(&pairs);
  return l;
}

Accesses *accesses_new(const Code *c, const Alias *a) {
  Accesses *v = mem_alloc(sizeof *v);
  v->first = map_new();
  for (size_t i = 0; i < code_count(c); ++i)  // a run that leaves the schedule is not what is asked about
    for (all_blocks(b, code_at(c, i)->function))
      for (all_insts(k, b))
        if (!code_leaves(c, k)) add_of(v, c, a, code_at(c, i), k);
  v->writes = by_object(v, alias_count(a), ALIAS_WRITES | ALIAS_FREES);
  v->any = by_object(v, alias_count(a), ALIAS_READS | ALIAS_WRITES | ALIAS_FREES);
  return v;
}

void accesses_free(Accesses *v) {
  if (!v) return;
  for (vec_each(i, &v->all)) {
    vec_free(&v->all.at[i].ranges);
    vec_free(&v->all.at[i].regions);
  }
  vec_free(&v->all);
  lists_free(&v->writes), lists_free(&v->any);
  map_free(v->first);
  mem_free(v);
}

size_t accesses_count(const Accesses *v) {
  return v->all.len;
}
const Access *accesses_at(const Accesses *v, size_t i) {
  return &v->all.at[i];
}
Ids accesses_writes(const Accesses *v, uint32_t object) {
  return lists_of(&v->writes, object);
}
Ids accesses_of(const Accesses *v, uint32_t object) {
  return lists_of(&v->any, object);
}

size_t accesses_by(const Accesses *v, LLVMValueRef inst, size_t *first) {
  uint64_t at = map_or(v->first, map_key(inst), 0);
  size_t n = 0;
  if (!at) return 0;
  *first = (size_t)at - 1;
  while (*first + n < v->all.len && v->all.at[*first + n].inst == inst) ++n;
  return n;
}
