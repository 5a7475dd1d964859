// Calls: of functions of the module, through pointers, and of functions outside by their summaries.
#include "assembly.h"
#include <assert.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "build.h"

// -- intrinsics

typedef enum {
  AS_NOTHING,
  AS_ARGUMENTS,
  AS_FIRST,
  AS_COPY,
  AS_LOAD,
  AS_STORE,
  AS_FILL,
  AS_START,
  AS_LISTS,
  AS_UNKNOWN
} Intrinsic;
// By prefix; the first that fits counts. Others do to memory what LLVM says of them, and pass on what they
// are given, as arithmetic does.
static const struct {
  const char *prefix;
  Intrinsic as;
} intrinsics[] = {
    {"llvm.dbg.", AS_NOTHING},
    {"llvm.lifetime.", AS_NOTHING},
    {"llvm.assume", AS_NOTHING},
    {"llvm.memcpy.", AS_COPY},
    {"llvm.memmove.", AS_COPY},
    {"llvm.memset.", AS_FILL},
    {"llvm.va_start", AS_START},
    {"llvm.va_copy", AS_LISTS},
    {"llvm.va_end", AS_NOTHING},
    {"llvm.masked.load.", AS_LOAD},
    {"llvm.masked.gather.", AS_LOAD},
    {"llvm.masked.expandload.", AS_LOAD},
    {"llvm.masked.store.", AS_STORE},
    {"llvm.masked.scatter.", AS_STORE},
    {"llvm.masked.compressstore.", AS_STORE},
    {"llvm.load.relative.", AS_LOAD},
    {"llvm.prefetch", AS_NOTHING},
    {"llvm.stacksave", AS_NOTHING},
    {"llvm.stackrestore", AS_NOTHING},
    {"llvm.objectsize.", AS_NOTHING},
    {"llvm.is.constant.", AS_NOTHING},
    {"llvm.trap", AS_NOTHING},
    {"llvm.invariant.", AS_NOTHING},
    {"llvm.experimental.noalias", AS_NOTHING},
    {"llvm.ptr.annotation.", AS_FIRST},
    {"llvm.launder.", AS_FIRST},
    {"llvm.strip.", AS_FIRST},
    {"llvm.threadlocal.", AS_FIRST},
    {"llvm.expect.", AS_FIRST},
    {"llvm.ssa.copy", AS_FIRST},
    {"llvm.returnaddress", AS_NOTHING},
    {"llvm.frameaddress", AS_NOTHING},
    {"llvm.eh.", AS_NOTHING},
};

// What LLVM says of a function's memory: two bits each (1 reads, 2 writes) for what its arguments lead to,
// for what nobody else can see, and for all else.
enum { EFFECT_ARGUMENTS = 0, EFFECT_OTHER = 4, EFFECT_ALL = 63 };
static unsigned effects_of(LLVMValueRef f) {
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
  return a ? (unsigned)LLVMGetEnumAttributeValue(a) : EFFECT_ALL;
}

static Intrinsic intrinsic_of(LLVMValueRef f) {
  size_t len;
  const char *name = LLVMGetValueName2(f, &len);
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; ++i)
    if (!strncmp(name, intrinsics[i].prefix, strlen(intrinsics[i].prefix))) return intrinsics[i].as;
  return effects_of(f) >> EFFECT_OTHER & 3 ? AS_UNKNOWN : AS_ARGUMENTS;
}

static int64_t constant_bytes(LLVMValueRef v) {
  if (!LLVMIsAConstantInt(v)) return 0;
  unsigned long long n = LLVMConstIntGetZExtValue(v);
  return n < 1ull << 31 ? (int64_t)n : 0;
}

static uint32_t argument(Build *b, LLVMValueRef call, unsigned i) {
  return i < LLVMGetNumArgOperands(call) ? build_value(b, LLVMGetOperand(call, i)) : NODE_NONE;
}

static void copy_memory(Build *b, LLVMValueRef at, uint32_t to, uint32_t from, int64_t bytes) {
  build_touch(b, at, to, bytes, TOUCH_WRITE);
  build_touch(b, at, from, bytes, TOUCH_READ);
  if (text_is(at)) return;
  system_move(b->sys, to, from, bytes);
}

static void start_varargs(Build *b, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  uint32_t list = (uint32_t)map_or(b->varargs, map_key(f), NODE_NONE);
  build_touch(b, call, argument(b, call, 0), 24, TOUCH_WRITE);
  system_store(b->sys, argument(b, call, 0), list, 24);
}

static void pass_through(Build *b, LLVMValueRef call, unsigned count, Shift by) {
  if (!build_is_tracked(call)) return;
  for (unsigned i = 0; i < count; ++i)
    system_edge(b->sys, build_result(b, call), argument(b, call, i), system_shift(b->sys, by));
}

static uint32_t inside(Build *b, uint32_t node) {
  if (node == NODE_NONE) return node;
  uint32_t n = system_node(b->sys);
  system_edge(b->sys, n, node, system_shift(b->sys, (Shift){0, 1, 0}));
  return n;
}

static void touch_arguments(Build *b, LLVMValueRef call, unsigned count) {
  unsigned does = effects_of(call_function(call)) >> EFFECT_ARGUMENTS & 3;
  for (unsigned i = 0; does && i < count; ++i)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
      build_touch(b, call, argument(b, call, i), 0, (TouchKind)does);
}

// Some of these are hints, or change the state of the machine; none calls anything.
static void touch_anything(Build *b, LLVMValueRef call, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    if (LLVMGetTypeKind(vector ? LLVMGetElementType(type) : type) != LLVMPointerTypeKind) continue;
    build_touch(b, call, vector ? inside(b, argument(b, call, i)) : argument(b, call, i), 0,
                TOUCH_READ | TOUCH_WRITE);
  }
}

// What an instruction of the machine reads from memory may be pointers.
static void load_arguments(Build *b, LLVMValueRef call, unsigned count) {
  if (!build_is_tracked(call) || !(effects_of(call_function(call)) & 0x15)) return;
  for (unsigned i = 0; i < count; ++i)
    if (argument(b, call, i) != NODE_NONE)
      system_load(b->sys, build_result(b, call), inside(b, argument(b, call, i)), SPOT_REST);
}

static void build_intrinsic(Build *b, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  switch (intrinsic_of(call_function(call))) {
    case AS_NOTHING:
      break;
    case AS_FILL:
      build_touch(b, call, argument(b, call, 0), constant_bytes(LLVMGetOperand(call, 2)), TOUCH_WRITE);
      break;
    case AS_COPY:
      if (LLVMIsAConstantInt(LLVMGetOperand(call, 2)) && !LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)))
        break;
      copy_memory(b, call, argument(b, call, 0), argument(b, call, 1),
                  constant_bytes(LLVMGetOperand(call, 2)));
      break;
    case AS_LISTS:
      copy_memory(b, call, argument(b, call, 0), argument(b, call, 1), 24);
      break;
    case AS_START:
      start_varargs(b, call);
      break;
    case AS_LOAD:
      build_touch(b, call, argument(b, call, 0), 0, TOUCH_READ);
      if (build_is_tracked(call))
        system_load(b->sys, build_result(b, call), inside(b, argument(b, call, 0)), SPOT_REST);
      pass_through(b, call, count, (Shift){0, 1, 0});
      break;
    case AS_STORE:
      build_touch(b, call, argument(b, call, 1), 0, TOUCH_WRITE);
      system_store(b->sys, argument(b, call, 1), argument(b, call, 0), SPOT_REST);
      break;
    case AS_FIRST:
      pass_through(b, call, 1, (Shift){0, 0, 0});
      break;
    case AS_ARGUMENTS:
      touch_arguments(b, call, count);
      load_arguments(b, call, count);
      pass_through(b, call, count, (Shift){0, 1, 0});
      break;
    case AS_UNKNOWN:
      touch_anything(b, call, count);
      load_arguments(b, call, count);
      pass_through(b, call, count, (Shift){0, 1, 0});
      break;
  }
}

// -- summaries

typedef struct {
  Build *b;
  LLVMValueRef function, call;
  const uint32_t *args;
  uint32_t count, result;
  uint32_t shift;  // a row's argument 0 is this one
} Site;

static void escape(Build *b, uint32_t node) {
  if (node != NODE_NONE) vec_push(&b->sys->escapes, node);
}

static uint32_t operand(const Site *s, uint8_t o) {
  if (o == OPERAND_RESULT) return s->result;
  assert(o < OPERAND_RESULT || (o >= OPERAND_NAMED && o != OPERAND_NONE));
  if (o >= OPERAND_NAMED) return s->b->named[o - OPERAND_NAMED];
  if (o + s->shift < s->count) return s->args[o + s->shift];
  return s->call || !s->count ? NODE_NONE : s->args[s->count - 1];
}

static LLVMValueRef key_of(const Site *s) {
  return s->call ? s->call : s->function;
}

// Of a stub, the memory belongs to the function; of a call, to it or to the callers of the wrapper around it.
static uint32_t fresh_memory(const Site *s) {
  Build *b = s->b;
  LLVMValueRef key = key_of(s);
  uint64_t known;
  if (map_get(b->fresh_nodes, map_key(key), &known)) return (uint32_t)known;
  uint32_t o = system_object(b->sys, KIND_HEAP, key, -1), n = build_pointer(b, o);
  if (s->call && fresh_call(b->fresh, s->call)) b->sys->sizes.at[o] = fresh_size(b->fresh, s->call);
  map_put(b->fresh_nodes, map_key(key), n);
  return n;
}

static uint32_t library_memory(const Site *s, ObjectKind kind) {
  uint64_t known;
  if (map_get(s->b->library_nodes, map_key(s->function), &known)) return (uint32_t)known;
  uint32_t n = build_pointer(s->b, system_object(s->b->sys, kind, s->function, -1));
  map_put(s->b->library_nodes, map_key(s->function), n);
  return n;
}

// @thrown is the thread's own, where one can tell.
static uint32_t thrown_there(const Site *s, uint32_t node, bool catches) {
  Build *b = s->b;
  if (node != b->thrown || !s->call) return node;
  return build_thrown(b, LLVMGetBasicBlockParent(LLVMGetInstructionParent(s->call)), catches);
}

static uint32_t loaded(const Site *s, uint32_t pointer) {
  if (pointer == NODE_NONE) return NODE_NONE;
  uint32_t n = system_node(s->b->sys);
  build_touch(s->b, key_of(s), pointer, 8, TOUCH_READ);
  system_load(s->b->sys, n, pointer, 8);
  return n;
}

// Whatever an argument leads to, and those behind it.
static uint32_t reached(const Site *s, uint8_t first, bool rest) {
  Build *b = s->b;
  uint64_t known, key = map_key(key_of(s)) ^ (uint64_t)(first + s->shift + 1) << 57 ^ (uint64_t)rest << 56;
  if (map_get(b->reached, key, &known)) return (uint32_t)known;
  uint32_t n = system_node(b->sys), held = system_node(b->sys);
  map_put(b->reached, key, n);
  uint32_t count = s->count > s->shift ? s->count - s->shift : 0;
  uint32_t last = rest && count > first ? count : first + 1u;
  for (uint32_t i = first; i < last; ++i) {
    uint32_t arg = operand(s, (uint8_t)i);
    if (arg != NODE_NONE) system_edge(b->sys, n, inside(b, arg), 0);
  }
  system_load(b->sys, held, n, 8);
  system_edge(b->sys, n, inside(b, held), 0);
  return n;
}

static uint32_t value_node(const Site *s, SummaryValue v) {
  Build *b = s->b;
  switch (v.kind) {
    case VALUE_ITSELF:
      return operand(s, v.operand);
    case VALUE_INSIDE:
      return inside(b, operand(s, v.operand));
    case VALUE_LOADED:
      return loaded(s, thrown_there(s, operand(s, v.operand), true));
    case VALUE_HELD:
      return loaded(s, inside(b, operand(s, v.operand)));
    case VALUE_HELD_TWICE:
      return loaded(s, inside(b, loaded(s, inside(b, operand(s, v.operand)))));
    case VALUE_IN_HELD_TWICE:
      return inside(b, loaded(s, inside(b, loaded(s, inside(b, operand(s, v.operand))))));
    case VALUE_BEHIND:
      return inside(b, loaded(s, operand(s, v.operand)));
    case VALUE_VIRTUAL:
      return loaded(s, inside(b, loaded(s, loaded(s, operand(s, v.operand)))));
    case VALUE_REACHED:
    case VALUE_ALL_REACHED:
      return reached(s, v.operand, v.kind == VALUE_ALL_REACHED);
    case VALUE_NEW:
      return fresh_memory(s);
    case VALUE_STATIC:
      return library_memory(s, KIND_LIBRARY);
    case VALUE_OWN:
      return library_memory(s, KIND_OWN);
    case VALUE_UNKNOWN:
      return NODE_UNKNOWN;
  }
  return NODE_NONE;
}

static int64_t summary_bytes(const Site *s, const Do *d) {
  if (d->fixed) return d->fixed;
  if (!s->call || d->times == OPERAND_NONE || d->times >= LLVMGetNumArgOperands(s->call)) return 0;
  int64_t n = constant_bytes(LLVMGetOperand(s->call, d->times));
  if (d->times2 == OPERAND_NONE || !n) return n;
  if (d->times2 >= LLVMGetNumArgOperands(s->call)) return 0;
  n *= constant_bytes(LLVMGetOperand(s->call, d->times2));
  return n < 1ll << 31 ? n : 0;
}

// The function that is called gets these values; what a thread returns can be had by joining it.
static void call_back(const Site *s, const Do *d) {
  System *sys = s->b->sys;
  Call c = {.callee = value_node(s, d->place),
            .result = NODE_NONE,
            .count = d->count,
            .type = NODE_NONE,
            .program = d->program,
            .call = s->call};
  uint32_t args[OPERANDS];
  if (c.callee == NODE_NONE) return;
  for (unsigned i = 0; i < d->count; ++i) args[i] = value_node(s, d->args[i]);
  c.first = (uint32_t)sys->args.len;
  for (unsigned i = 0; i < d->count; ++i) vec_push(&sys->args, args[i]);
  if (d->kind == DO_SPAWN) {
    c.result = system_node(sys);
    system_store(sys, s->b->ended, c.result, 8);
  }
  vec_push(&sys->calls, c);
}

static void mix(const Site *s, const Do *d) {
  uint32_t n = system_node(s->b->sys), from = value_node(s, d->place);
  int64_t element = summary_bytes(s, d);
  if (from == NODE_NONE) return;
  system_edge(s->b->sys, n, from, system_shift(s->b->sys, (Shift){0, element ? element : 1, 0}));
  copy_memory(s->b, key_of(s), n, n, element);
}

static void touch(const Site *s, const Do *d, TouchKind kind) {
  int64_t bytes = summary_bytes(s, d);
  build_touch(s->b, key_of(s), value_node(s, d->place), bytes, kind);
  for (uint32_t i = d->place.operand + s->shift + 1; d->rest && i < s->count; ++i)
    build_touch(s->b, key_of(s), s->args[i], 0, kind);
}

// The words of an object that a constructor of the library makes: addresses in its vtable.
static void store_vtable(const Site *s, const Do *d) {
  Build *b = s->b;
  size_t len;
  bool several;
  LLVMValueRef table = libstdcxx_vtable(b->module, LLVMGetValueName2(s->function, &len), &several);
  uint32_t place = value_node(s, d->place);
  if (!table || place == NODE_NONE) return;
  if (several) place = inside(b, place);
  system_store(b->sys, place, inside(b, build_pointer(b, build_object(b, table))), 8);
}

static void apply(const Site *s, const Do *d) {
  System *sys = s->b->sys;
  uint32_t place;
  switch (d->kind) {
    case DO_READ:
      touch(s, d, TOUCH_READ);
      break;
    case DO_WRITE:
      touch(s, d, TOUCH_WRITE);
      break;
    case DO_FREE:
      touch(s, d, TOUCH_FREE);
      break;
    case DO_USE:
      build_touch_locked(s->b, key_of(s), value_node(s, d->place), summary_bytes(s, d), TOUCH_WRITE);
      break;
    case DO_RETURN:
      if (s->result != NODE_NONE) system_edge(sys, s->result, value_node(s, d->value), 0);
      break;
    case DO_STORE:
      place = thrown_there(s, value_node(s, d->place), false);
      build_touch(s->b, key_of(s), place, 8, TOUCH_WRITE);
      system_store(sys, place, value_node(s, d->value), 8);
      break;
    case DO_COPY:
      copy_memory(s->b, key_of(s), value_node(s, d->place), value_node(s, d->value), summary_bytes(s, d));
      break;
    case DO_MIX:
      mix(s, d);
      break;
    case DO_ESCAPE:
      escape(s->b, value_node(s, d->place));
      break;
    case DO_VTABLE:
      store_vtable(s, d);
      break;
    case DO_CALL:
    case DO_SPAWN:
      call_back(s, d);
      break;
  }
}

static void report_unknown(Build *b, LLVMValueRef function, LLVMValueRef call) {
  size_t len;
  if (!b->diags || map_or(b->unknown, map_key(function), 0)) return;
  map_put(b->unknown, map_key(function), 1);
  diag_at(b->diags, DIAG_WARNING, call ? call : function,
          "unknown function %s: assumed to read and write everything reachable from its arguments",
          LLVMGetValueName2(function, &len));
}

// The function of the library that does what syscall does with this number; NULL: it is another call, or the
// number is not known.
static const char *syscall_name(LLVMValueRef call, const char *name) {
  static const struct {
    long number;
    const char *name;
  } same[] = {{SYS_read, "read"},         {SYS_write, "write"},       {SYS_pread64, "pread"},
              {SYS_pwrite64, "pwrite"},   {SYS_readv, "readv"},       {SYS_writev, "writev"},
              {SYS_recvfrom, "recvfrom"}, {SYS_sendto, "sendto"},     {SYS_recvmsg, "recvmsg"},
              {SYS_sendmsg, "sendmsg"},   {SYS_poll, "poll"},         {SYS_getrandom, "getrandom"},
              {SYS_gettid, "gettid"},     {SYS_getpid, "getpid"},     {SYS_sched_yield, "sched_yield"},
              {SYS_close, "close"},       {SYS_lseek, "lseek"},       {SYS_nanosleep, "nanosleep"},
              {SYS_open, "open"},         {SYS_openat, "openat"},     {SYS_clock_gettime, "clock_gettime"},
              {SYS_kill, "kill"},         {SYS_tgkill, "getpid"},     {SYS_membarrier, "getpid"},
              {SYS_madvise, "madvise"},   {SYS_mprotect, "mprotect"}, {SYS_exit_group, "_exit"},
              {SYS_getcpu, "getcpu"},     {SYS_fsync, "fsync"},       {SYS_futex, "getpid"}};
  LLVMValueRef n = !strcmp(name, "syscall") && LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  for (size_t i = 0; n && LLVMIsAConstantInt(n) && i < sizeof same / sizeof *same; ++i)
    if ((long)LLVMConstIntGetSExtValue(n) == same[i].number) return same[i].name;
  return NULL;
}

// The result of such a function is made where its first argument points: text in itself, fresh memory, or
// whatever the others lead to.
static void make_result(const Site *outer) {
  Build *b = outer->b;
  uint32_t to = outer->count ? outer->args[0] : NODE_NONE;
  if (to == NODE_NONE) return;
  uint32_t words = inside(b, to);
  build_touch(b, key_of(outer), to, 0, TOUCH_WRITE);
  system_store(b->sys, words, words, 8);
  system_store(b->sys, words, fresh_memory(outer), 8);
  if (outer->count > 1) system_store(b->sys, words, reached(outer, 1, true), 8);
}

static bool has_hidden_result(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("sret", 4);
  return LLVMCountParams(function) && LLVMGetEnumAttributeAtIndex(function, 1, kind) != NULL;
}

// Rows for all whose names begin alike count arguments without it.
static void apply_all(const Site *s, const Summary *what) {
  Site own = *s;
  if (what->prefix && has_hidden_result(s->function)) {
    make_result(s);
    own.shift = 1;
  }
  for (size_t i = 0; i < what->len; ++i) apply(&own, &what->at[i]);
}

static void build_named(Build *b, const char *name, LLVMValueRef function, LLVMValueRef call,
                        const uint32_t *args, uint32_t count, uint32_t result) {
  assert(LLVMIsDeclaration(function) && (!call || call_is(call)));
  Site s = {b, function, call, args, count, result, 0};
  Summary what;
  if (!strncmp(name, "llvm.", 5)) return;  // never called by its address
  if (summaries_find(b->summaries, name, &what)) {
    apply_all(&s, &what);
    return;
  }
  report_unknown(b, function, call);
  build_touch(b, key_of(&s), NODE_UNKNOWN, 0, TOUCH_READ | TOUCH_WRITE);
  for (uint32_t i = 0; i < count; ++i) escape(b, args[i]);
  if (result != NODE_NONE) system_edge(b->sys, result, NODE_UNKNOWN, 0);
}

void build_outside(Build *b, LLVMValueRef function, LLVMValueRef call, const uint32_t *args, uint32_t count,
                   uint32_t result) {
  size_t len;
  build_named(b, LLVMGetValueName2(function, &len), function, call, args, count, result);
}

// -- calls

static uint32_t result_of(Build *b, LLVMValueRef call) {
  return build_is_tracked(call) ? build_result(b, call) : NODE_NONE;
}

// All memory that calls of a wrapper return: of its callers', and of its own where it is not called directly.
static uint32_t wrapper_node(Build *b, LLVMValueRef wrapper) {
  uint64_t known;
  assert(fresh_function(b->fresh, wrapper));
  if (map_get(b->wrappers, map_key(wrapper), &known)) return (uint32_t)known;
  uint32_t n = system_node(b->sys);
  map_put(b->wrappers, map_key(wrapper), n);
  return n;
}

// What a wrapper returns beside memory of its own.
static uint32_t others_node(Build *b, LLVMValueRef wrapper) {
  uint64_t known;
  if (map_get(b->others, map_key(wrapper), &known)) return (uint32_t)known;
  uint32_t n = system_node(b->sys);
  map_put(b->others, map_key(wrapper), n);
  const FreshValues *parts = fresh_parts(b->fresh, wrapper);
  for (vec_each(i, parts)) {
    LLVMValueRef v = parts->at[i], inner = fresh_call(b->fresh, v) ? call_function(v) : NULL;
    if (inner && LLVMIsDeclaration(inner)) continue;
    system_edge(b->sys, n, inner ? others_node(b, inner) : build_value(b, v), 0);
  }
  return n;
}

// A call that allocates: the memory is this call's, or that of the calls of the wrapper which returns it.
static void build_fresh(Build *b, LLVMValueRef call, LLVMValueRef callee, uint32_t result) {
  LLVMValueRef outer = fresh_wrapper(b->fresh, call);
  bool inner = !LLVMIsDeclaration(callee);
  if (inner && result != NODE_NONE) system_edge(b->sys, result, others_node(b, callee), 0);
  if (outer && result != NODE_NONE) system_edge(b->sys, result, wrapper_node(b, outer), 0);
  if (!outer || !inner) {
    Site s = {b, callee, call, NULL, 0, result, 0};
    uint32_t own = fresh_memory(&s);
    if (result != NODE_NONE && !outer) system_edge(b->sys, result, own, 0);
    // Called in other ways than by its name, a wrapper's memory is that of the allocation in it.
    if (outer) system_edge(b->sys, wrapper_node(b, outer), own, 0);
    if (inner) system_edge(b->sys, wrapper_node(b, callee), own, 0);
  } else {
    system_edge(b->sys, wrapper_node(b, callee), wrapper_node(b, outer), 0);
  }
}

// What a structure that is passed beyond the parameters holds lies there with the other arguments.
static void pass_copied(Build *b, LLVMValueRef call, unsigned i, uint32_t extra) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  if (!LLVMGetCallSiteEnumAttribute(call, i + 1, kind)) return;
  uint32_t held = system_node(b->sys);
  system_load(b->sys, held, inside(b, argument(b, call, i)), SPOT_REST);
  system_edge(b->sys, extra, held, 0);
}

static void build_direct(Build *b, LLVMValueRef call, LLVMValueRef f, uint32_t result) {
  Parts p = *build_function(b, f);
  unsigned count = LLVMGetNumArgOperands(call);
  uint32_t direct = (uint32_t)b->sys->directs.len;
  Direct made = {call, f};
  vec_push(&b->sys->directs, made);
  for (unsigned i = 0; i < count; ++i) {
    system_cross(b->sys, i < p.count ? p.first + i : p.extra, argument(b, call, i), direct, true);
    if (i >= p.count) pass_copied(b, call, i, p.extra);
  }
  if (fresh_call(b->fresh, call))
    build_fresh(b, call, f, result);
  else if (result != NODE_NONE)
    system_cross(b->sys, result, p.result, direct, false);
}

static void build_indirect(Build *b, LLVMValueRef call, uint32_t result) {
  unsigned count = LLVMGetNumArgOperands(call);
  char *type = signature_of_call(call);
  uint32_t callee = build_value(b, LLVMGetCalledValue(call));
  Call c = {.callee = callee,
            .result = result,
            .count = count,
            .type = intern_id(b->sys->types, type, strlen(type)),
            .call = call};
  c.limited = b->guess && b->guess->limits(b->guess->self, call, &c.only);
  mem_free(type);
  IdVec args = {0};
  for (unsigned i = 0; i < count; ++i) vec_push(&args, argument(b, call, i));
  c.first = (uint32_t)b->sys->args.len;
  vec_append(&b->sys->args, args.at, args.len);
  vec_free(&args);
  if (callee != NODE_NONE) vec_push(&b->sys->calls, c);
}

// Contents of all that operands point into may go anywhere in there, and into the result.
static void build_asm_behind(Build *b, LLVMValueRef call, uint32_t result) {
  uint32_t all = system_node(b->sys), held = system_node(b->sys);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i)
    if (argument(b, call, i) != NODE_NONE) system_edge(b->sys, all, inside(b, argument(b, call, i)), 0);
  build_touch(b, call, all, 0, TOUCH_READ | TOUCH_WRITE);
  system_load(b->sys, held, all, SPOT_REST);
  system_edge(b->sys, held, all, 0);
  system_store(b->sys, all, held, SPOT_REST);
  if (result != NODE_NONE) system_edge(b->sys, result, held, 0);
}

// What the text names it may touch, call, and give to others.
static void build_asm_symbols(Build *b, LLVMValueRef call) {
  AsmSymbols named = {0};
  assembly_symbols(b->module, call, &named);
  for (vec_each(i, &named)) {
    uint32_t node = build_value(b, named.at[i]);
    escape(b, node);
    if (!LLVMIsAFunction(named.at[i])) build_touch(b, call, node, 0, TOUCH_READ | TOUCH_WRITE);
  }
  vec_free(&named);
}

static void build_asm(Build *b, LLVMValueRef call, uint32_t result) {
  unsigned count = LLVMGetNumArgOperands(call);
  build_asm_symbols(b, call);
  switch (assembly_effect(b->module, call)) {
    case ASM_ANYTHING:
      build_touch(b, call, NODE_UNKNOWN, 0, TOUCH_READ | TOUCH_WRITE);
      for (unsigned i = 0; i < count; ++i) escape(b, argument(b, call, i));
      if (result != NODE_NONE) system_edge(b->sys, result, NODE_UNKNOWN, 0);
      break;
    case ASM_BEHIND:
      build_asm_behind(b, call, result);
      break;
    case ASM_VALUES:
      pass_through(b, call, count, (Shift){0, 1, 0});
      break;
  }
}

// At an address that the program chooses, a mapping is in the memory that is there; a file or a piece of
// shared memory may be mapped twice.
static void build_mapping(Build *b, LLVMValueRef call, uint32_t result) {
  LLVMValueRef flags = LLVMGetNumArgOperands(call) > 3 ? LLVMGetOperand(call, 3) : NULL;
  bool known = flags && LLVMIsAConstantInt(flags);
  unsigned long long set = known ? LLVMConstIntGetZExtValue(flags) : 0;
  if (result == NODE_NONE) return;
  if (!known || set & (MAP_FIXED | MAP_FIXED_NOREPLACE))
    system_edge(b->sys, result, inside(b, argument(b, call, 0)), 0);
  if (!known || (set & MAP_SHARED && !(set & MAP_ANONYMOUS)))
    system_edge(b->sys, result, inside(b, b->mapped), 0);
}

// A conversion %n of a format that is constant.
static bool has_count(LLVMValueRef format) {
  LLVMValueRef text = call_strip(format);
  LLVMValueRef init =
      LLVMIsAGlobalVariable(text) && LLVMIsGlobalConstant(text) ? LLVMGetInitializer(text) : NULL;
  if (!init || !LLVMIsConstantString(init)) return false;
  size_t len;
  const char *s = LLVMGetAsString(init, &len);
  for (size_t i = 0; i + 1 < len; ++i) {
    if (s[i] != '%') continue;
    if (s[++i] == '%') continue;
    while (i < len && s[i] && strchr("0123456789$-+ #'*.hlqjzt", s[i])) ++i;
    if (i < len && s[i] == 'n') return true;
  }
  return false;
}

// printf and its kin write what was printed so far where %n says; scanf writes anyway.
static void build_counts(Build *b, LLVMValueRef call, LLVMValueRef f) {
  unsigned count = LLVMGetNumArgOperands(call);
  if (!strstr(LLVMGetValueName(f), "printf")) return;
  for (unsigned i = 0; i < count; ++i) {
    if (!has_count(LLVMGetArgOperand(call, i))) continue;
    for (unsigned k = i + 1; k < count; ++k) {
      uint32_t given = argument(b, call, k);
      if (given == NODE_NONE) continue;
      build_touch(b, call, given, 8, TOUCH_WRITE);
      if (!LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f))) {  // a va_list: what its memory leads to
        uint32_t list = system_node(b->sys), held = system_node(b->sys);
        system_load(b->sys, list, inside(b, given), SPOT_REST);
        system_load(b->sys, held, inside(b, list), SPOT_REST);
        build_touch(b, call, list, 8, TOUCH_WRITE);
        build_touch(b, call, held, 8, TOUCH_WRITE);
      }
    }
    return;
  }
}

static void build_library(Build *b, LLVMValueRef call, LLVMValueRef f, uint32_t result) {
  unsigned count = LLVMGetNumArgOperands(call);
  size_t len;
  const char *name = LLVMGetValueName2(f, &len), *as = syscall_name(call, name);
  unsigned skipped = as ? 1 : 0;
  uint32_t *args = mem_array(count + 1, sizeof *args);
  for (unsigned i = skipped; i < count; ++i) args[i - skipped] = argument(b, call, i);
  for (unsigned i = 0; sync_find(name) && i < count; ++i)  // users ask for what is synchronized by
    if (args[i] != NODE_NONE) set_add(&b->sys->queried, args[i]);
  if (fresh_call(b->fresh, call)) build_fresh(b, call, f, result);
  if (!strcmp(name, "mmap") || !strcmp(name, "mmap64")) build_mapping(b, call, result);
  build_named(b, as ? as : name, f, call, args, count - skipped, result);
  build_counts(b, call, f);
  mem_free(args);
}

// What is passed byval the caller copies, as part of the call.
static void touch_copied(Build *b, LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    if (!byval) continue;
    uint64_t bytes = LLVMABISizeOfType(b->layout, LLVMGetTypeAttributeValue(byval));
    build_touch(b, call, argument(b, call, i), (int64_t)bytes, TOUCH_READ);
  }
}

void build_call(Build *b, LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  touch_copied(b, call);
  uint32_t result = result_of(b, call);
  size_t len;
  const char *name = f ? LLVMGetValueName2(f, &len) : "";
  if (call_is_asm(call))
    build_asm(b, call, result);
  else if (!f)
    build_indirect(b, call, result);
  else if (!strncmp(name, "llvm.", 5))
    build_intrinsic(b, call);
  else if (LLVMIsDeclaration(f))
    build_library(b, call, f, result);
  else
    build_direct(b, call, f, result);
}
