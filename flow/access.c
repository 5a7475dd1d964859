#include "access.h"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include "track.h"
#include "vtable.h"

struct Accesses {
  const Alias *alias;
  Vec(Access) all;
  Map *first;  // by instruction, plus one
  Lists writes, any;
  Tracks *write_tracks, *tracks;
};

static bool is_atomic(LLVMValueRef i) {
  if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) return true;
  return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static LLVMValueRef base_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

// In the object that libstdc++ keeps for a thread, by its destructor.
static bool is_own_state(LLVMValueRef function, LLVMValueRef pointer) {
  static const char prefix[] = "_ZNSt6thread11_State_impl";
  size_t len;
  const char *name = LLVMGetValueName2(function, &len);
  if (len < sizeof prefix + 4 || strncmp(name, prefix, sizeof prefix - 1)) return false;
  if (strcmp(name + len - 4, "D0Ev") && strcmp(name + len - 4, "D2Ev")) return false;
  return pointer && base_of(pointer) == LLVMGetParam(function, 0);
}

// In the object of a member function that outside code enters. What is not known of the pointer is that
// object.
static void find_this(const Vtables *tables, LLVMValueRef function, AliasAccess *x) {
  IdVec objects = {0};
  AliasRanges ranges = {0};
  bool unknown = false;
  for (vec_each(i, &x->ranges)) unknown |= !x->ranges.at[i].object;
  if (!unknown || !x->pointer || !LLVMCountParams(function)) return;
  if (base_of(x->pointer) != LLVMGetParam(function, 0)) return;
  if (!vtables_this(tables, function, &objects)) {
    vec_free(&objects);
    return;
  }
  for (vec_each(i, &x->ranges)) {
    AliasRange r = x->ranges.at[i];
    if (r.object) vec_push(&ranges, r);
    for (size_t k = 0; !r.object && k < objects.len; ++k)
      vec_push(&ranges, ((AliasRange){objects.at[k], 0, 1, INT64_MAX, r.bytes}));
  }
  vec_free(&x->ranges), vec_free(&objects);
  x->ranges.at = ranges.at, x->ranges.len = ranges.len, x->ranges.cap = ranges.cap;
}

// Bytes of what an operation synchronizes by; 0: it is no memory of the program.
static int64_t size_of_object(SyncFamily family) {
  switch (family) {
    case SYNC_MUTEX:
      return sizeof(pthread_mutex_t);
    case SYNC_RWLOCK:
      return sizeof(pthread_rwlock_t);
    case SYNC_SPIN:
      return sizeof(pthread_spinlock_t);
    case SYNC_COND:
      return sizeof(pthread_cond_t);
    case SYNC_BARRIER_OBJECT:
      return sizeof(pthread_barrier_t);
    case SYNC_SEMAPHORE:
      return sizeof(sem_t);
    case SYNC_ONCE_FLAG:
      return sizeof(pthread_once_t);
    default:
      return 0;
  }
}

// Operations use their object atomically; what makes or destroys it writes it, as free does.
static void add_object(Accesses *v, const Code *c, const CodeFunction *f, LLVMValueRef inst) {
  const Sync *s = call_is(inst) ? sync_of_call(inst) : NULL;
  int64_t bytes = s && s->object.place == SYNC_VALUE ? size_of_object(s->family) : 0;
  LLVMValueRef object = bytes ? sync_operand(inst, s->object) : NULL;
  if (!object || LLVMGetTypeKind(LLVMTypeOf(object)) != LLVMPointerTypeKind) return;
  bool bounds = s->kind == SYNC_INIT || s->kind == SYNC_DESTROY;
  Access x = {.inst = inst, .pointer = object, .function = f, .atomic = !bounds, .bytes = bytes};
  x.kind = bounds ? ALIAS_WRITES : ALIAS_READS;
  x.syncs = !bounds, x.bounds = bounds;
  alias_points_to(v->alias, object, &x.ranges);
  for (vec_each(i, &x.ranges)) x.ranges.at[i].bytes = bytes;
  code_regions(c, inst, &x.regions);
  vec_push(&v->all, x);
}

static bool is_own_object(LLVMValueRef inst, LLVMValueRef pointer) {
  const Sync *s = call_is(inst) ? sync_of_call(inst) : NULL;
  return s && pointer && s->object.place == SYNC_VALUE && sync_operand(inst, s->object) == pointer;
}

static bool is_shared_stream(const Alias *a, uint32_t object) {
  AliasObject o = alias_object(a, object);
  return o.kind == ALIAS_GLOBAL && LLVMIsDeclaration(o.value) &&
         libstdcxx_is_stream(LLVMGetValueName(o.value));
}

// What functions of the library do to std::cout and its kin, any number of threads may do at a time.
static void split_streams(Accesses *v, const Access *x) {
  Access shared = *x;
  AliasRanges others = {0};
  shared.ranges = (AliasRanges){0}, shared.regions = (Regions){0}, shared.atomic = true;
  for (vec_each(i, &x->ranges)) {
    AliasRange r = x->ranges.at[i];
    if (is_shared_stream(v->alias, r.object))
      vec_push(&shared.ranges, r);
    else
      vec_push(&others, r);
  }
  if (!shared.ranges.len) {
    vec_free(&others);
    return;
  }
  vec_append(&shared.regions, x->regions.at, x->regions.len);
  Access *own = &vec_last(&v->all);
  vec_free(&own->ranges);
  own->ranges.at = others.at, own->ranges.len = others.len, own->ranges.cap = others.cap;
  vec_push(&v->all, shared);
}

static void add_of(Accesses *v, const Code *c, const Alias *a, const Vtables *tables, const CodeFunction *f,
                   LLVMValueRef inst) {
  AliasAccesses found = {0};
  alias_accesses(a, inst, &found);
  size_t before = v->all.len;
  for (vec_each(i, &found)) {
    find_this(tables, f->function, &found.at[i]);
    Access x = {.inst = inst, .pointer = found.at[i].pointer, .kind = found.at[i].kind, .function = f};
    x.atomic = is_atomic(inst) || found.at[i].locked || is_own_object(inst, x.pointer);
    x.bounds = (x.kind & ALIAS_FREES) != 0;
    x.own_state = is_own_state(f->function, x.pointer);
    x.ranges.at = found.at[i].ranges.at, x.ranges.len = found.at[i].ranges.len,
    x.ranges.cap = found.at[i].ranges.cap;
    x.bytes = x.ranges.len ? x.ranges.at[0].bytes : ALIAS_REST;
    code_regions(c, inst, &x.regions);
    vec_push(&v->all, x);
    if (call_is(inst) && !x.atomic) split_streams(v, &x);
  }
  add_object(v, c, f, inst);
  if (v->all.len > before) map_put(v->first, map_key(inst), before + 1);
  vec_free(&found);
}

// A thread that runs a function of the library, free for instance: there is no code of its own to look at.
// Its accesses stand where it is created.
static void add_routine(Accesses *v, const Code *c, uint32_t thread) {
  LLVMValueRef create = code_create(c, thread);
  const Sync *s = create && !code_root(c, thread) ? sync_of_call(create) : NULL;
  if (!s || s->start.place != SYNC_VALUE) return;
  LLVMValueRef routine = call_strip(LLVMGetOperand(create, s->start.arg));
  if (!LLVMIsAFunction(routine) || !LLVMIsDeclaration(routine)) return;
  AliasAccesses found = {0};
  alias_accesses_of(v->alias, routine, &found);
  const CodeFunction *f = code_of(c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(create)));
  for (vec_each(i, &found)) {
    Access x = {.inst = create, .kind = found.at[i].kind, .function = f, .bytes = ALIAS_REST};
    x.atomic = found.at[i].locked, x.bounds = (x.kind & ALIAS_FREES) != 0;
    x.ranges.at = found.at[i].ranges.at, x.ranges.len = found.at[i].ranges.len,
    x.ranges.cap = found.at[i].ranges.cap;
    vec_push(&x.regions, ((Region){thread, 0, code_operations(c, thread)}));
    vec_push(&v->all, x);
  }
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
  v->alias = a, v->first = map_new();
  Vtables *tables = vtables_new(LLVMGetGlobalParent(code_at(c, 0)->function), a);
  for (size_t i = 0; i < code_count(c); ++i) {
    const CodeFunction *f = code_at(c, i);
    if (!code_is_executed(f)) continue;
    for (all_blocks(b, f->function))
      for (all_insts(k, b))
        if (code_counts(c, k)) add_of(v, c, a, tables, f, k);
  }
  vtables_free(tables);
  for (uint32_t t = 1; t < order_schedule(code_order(c))->threads; ++t) add_routine(v, c, t);
  v->writes = by_object(v, alias_count(a), ALIAS_WRITES | ALIAS_FREES);
  v->any = by_object(v, alias_count(a), ALIAS_READS | ALIAS_WRITES | ALIAS_FREES);
  v->write_tracks = tracks_new(v, &v->writes, alias_count(a));
  v->tracks = tracks_new(v, &v->any, alias_count(a));
  CHECKED(accesses_check(v));
  return v;
}

static void check_access(const Accesses *v, const Access *x) {
  assert(x->inst && x->function && x->kind);
  assert(!(x->kind & ~(unsigned)(ALIAS_READS | ALIAS_WRITES | ALIAS_FREES)));
  assert(LLVMGetBasicBlockParent(LLVMGetInstructionParent(x->inst)) == x->function->function);
  for (vec_each(i, &x->ranges)) assert(x->ranges.at[i].object < alias_count(v->alias));
  for (vec_each(i, &x->regions)) assert(x->regions.at[i].from <= x->regions.at[i].to);
}

static void check_list(const Accesses *v, const Lists *l, uint32_t object, unsigned kinds) {
  Ids ids = lists_of(l, object);
  for (vec_each(i, &ids)) {
    assert(ids.at[i] < v->all.len && (!i || ids.at[i - 1] <= ids.at[i]));
    assert(v->all.at[ids.at[i]].kind & kinds);
  }
}

void accesses_check(const Accesses *v) {
  tracks_check(v->write_tracks, v), tracks_check(v->tracks, v);
  for (vec_each(i, &v->all)) {
    size_t first = 0, n = accesses_by(v, v->all.at[i].inst, &first);
    assert(v->all.at[i].bytes == ALIAS_REST || (first <= i && i < first + n));
    check_access(v, &v->all.at[i]);
  }
  for (uint32_t o = 0; o < alias_count(v->alias); ++o) {
    check_list(v, &v->writes, o, ALIAS_WRITES | ALIAS_FREES);
    check_list(v, &v->any, o, ALIAS_READS | ALIAS_WRITES | ALIAS_FREES);
  }
}

void accesses_free(Accesses *v) {
  if (!v) return;
  for (vec_each(i, &v->all)) {
    vec_free(&v->all.at[i].ranges);
    vec_free(&v->all.at[i].regions);
  }
  vec_free(&v->all);
  lists_free(&v->writes), lists_free(&v->any);
  tracks_free(v->write_tracks), tracks_free(v->tracks);
  map_free(v->first);
  mem_free(v);
}

const Tracks *accesses_write_tracks(const Accesses *v) {
  return v->write_tracks;
}
const Tracks *accesses_tracks(const Accesses *v) {
  return v->tracks;
}

size_t accesses_count(const Accesses *v) {
  return v->all.len;
}
const Access *accesses_at(const Accesses *v, size_t i) {
  assert(i < v->all.len);
  return &v->all.at[i];
}
Ids accesses_writes(const Accesses *v, uint32_t object) {
  assert(object < alias_count(v->alias));
  return lists_of(&v->writes, object);
}
Ids accesses_of(const Accesses *v, uint32_t object) {
  assert(object < alias_count(v->alias));
  return lists_of(&v->any, object);
}

static void add_writers(const Accesses *v, uint32_t object, Map *there, IdVec *out) {
  Ids writes = accesses_writes(v, object);
  for (vec_each(i, &writes)) {
    if (map_or(there, writes.at[i], 0)) continue;
    map_put(there, writes.at[i], 1);
    vec_push(out, writes.at[i]);
  }
}

void accesses_writers(const Accesses *v, const Access *x, IdVec *out) {
  Map *there = map_new();
  bool escaped = false;
  for (vec_each(i, &x->ranges)) {
    add_writers(v, x->ranges.at[i].object, there, out);
    escaped |= alias_object(v->alias, x->ranges.at[i].object).escaped;
  }
  if (escaped) add_writers(v, 0, there, out);
  map_free(there);
}

size_t accesses_by(const Accesses *v, LLVMValueRef inst, size_t *first) {
  uint64_t at = map_or(v->first, map_key(inst), 0);
  size_t n = 0;
  if (!at) return 0;
  *first = (size_t)at - 1;
  while (*first + n < v->all.len && v->all.at[*first + n].inst == inst) ++n;
  return n;
}
