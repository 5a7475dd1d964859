// precision: how sharp points-to is. `precision pairs FILE.bc` counts what it says of the pairs of pointers
// that LLVM's aa-eval looks at. `precision [--contexts] APP [SIGMA N]` says how large sets are, and which
// accesses of different threads may meet, in the program and, of the same accesses, in its clones for
// schedule N.
//
// An access of the program is a load, a store or an atomic operation; a number that it carries as metadata
// tells which clones stem from it. Two of them are a pair if two threads may execute them, and meet if any
// such two executions may. Concurrent is what the enforced order leaves open: a clone lies between two events
// of its thread, the ones before and behind it, which metadata tells too. `facts`: the same pairs, asked of
// the fact engine (flow/), which knows values as well.
#include <stdio.h>
#include <stdlib.h>
#include "alias/alias.h"
#include "cfspec/cfspec.h"
#include "flow/flow.h"
#include "record/record.h"

enum { ANYWHERE = -2, BEGINNING = -1, FOREIGN = 1 << 20 };  // places in a thread; threads that no Σ knows

typedef struct {
  uint32_t thread;
  int32_t after;        // the position of the last operation before it
  uint32_t set;         // of Sampled.sets
  uint32_t begin, end;  // events around it; SIGMA_NONE: none
} Point;
typedef Vec(Point) Places;

typedef struct {
  AliasRange *at;
  size_t len;
  bool single;  // one place, in an object that stands for one
} Ranges;

typedef struct {
  LLVMContextRef c;
  LLVMModuleRef m;
  Alias *a;
  unsigned origin, after;       // kinds of metadata
  Vec(Ranges) sets;             // distinct ones
  Intern *texts;                // of sets
  uint32_t accesses;            // of the program
  Places *places;               // by access
  uint32_t *foreign;            // by thread of the analysis: as Point.thread
  size_t all, ranges, unknown;  // accesses in this module, what they may touch
  Order *order;
  Vec(uint32_t) * operations;  // by thread of Σ: positions
} Sampled;

static LLVMValueRef pointer_of(LLVMValueRef i, LLVMTypeRef *type) {
  *type = LLVMTypeOf(i);
  if (LLVMIsALoadInst(i)) return LLVMGetOperand(i, 0);
  if (!LLVMIsAStoreInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i)) return NULL;
  bool store = LLVMIsAStoreInst(i) != NULL;
  *type = LLVMTypeOf(LLVMGetOperand(i, store ? 0 : LLVMIsAAtomicRMWInst(i) ? 1 : 2));
  return LLVMGetOperand(i, store);
}

static int64_t bytes_of(LLVMModuleRef m, LLVMTypeRef type) {
  return (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(m), type);
}

static void put_number(const Sampled *p, LLVMValueRef i, unsigned kind, int64_t n) {
  LLVMValueRef value = LLVMConstInt(LLVMInt64TypeInContext(p->c), (uint64_t)n, 1);
  LLVMMetadataRef one = LLVMValueAsMetadata(value);
  LLVMSetMetadata(i, kind, LLVMMetadataAsValue(p->c, LLVMMDNodeInContext2(p->c, &one, 1)));
}

static bool get_number(LLVMValueRef i, unsigned kind, int64_t *n) {
  LLVMValueRef node = LLVMGetMetadata(i, kind), value;
  if (!node || LLVMGetMDNodeNumOperands(node) != 1) return false;
  LLVMGetMDNodeOperands(node, &value);
  *n = LLVMConstIntGetSExtValue(value);
  return true;
}

static void number_accesses(Sampled *p) {
  LLVMTypeRef type;
  for (all_functions(f, p->m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (pointer_of(i, &type)) put_number(p, i, p->origin, p->accesses++);
}

// -- what an access may touch

static uint32_t set_of(Sampled *p, LLVMValueRef pointer, int64_t bytes) {
  AliasRanges all = {0};
  Bytes key = {0};
  alias_points_to(p->a, pointer, &all);
  for (vec_each(i, &all)) all.at[i].bytes = bytes;
  vec_append(&key, (const unsigned char *)all.at, all.len * sizeof *all.at);
  bytes_text(&key, "|");
  uint32_t id = intern_id(p->texts, (const char *)key.at, key.len);
  vec_free(&key);
  p->all++, p->ranges += all.len;
  for (vec_each(i, &all))
    if (!all.at[i].object) {
      p->unknown++;
      break;
    }
  if (id < p->sets.len) {
    vec_free(&all);
    return id;
  }
  bool single = all.len == 1 && !all.at[0].stride && alias_object(p->a, all.at[0].object).single;
  vec_push(&p->sets, ((Ranges){all.at, all.len, single}));
  return id;
}

// 0: no, 1: may, 2: must
static int meet(const Sampled *p, uint32_t x, uint32_t y) {
  const Ranges *r = &p->sets.at[x], *s = &p->sets.at[y];
  bool may = false;
  for (size_t i = 0; !may && i < r->len; ++i)
    for (size_t k = 0; !may && k < s->len; ++k) may = alias_ranges_meet(p->a, &r->at[i], &s->at[k]);
  return !may ? 0 : r->single && s->single && r->at[0].first == s->at[0].first ? 2 : 1;
}

// -- in which order

static uint32_t event_after(const Sampled *p, const Point *x) {
  uint32_t count = order_count(p->order, x->thread);
  for (vec_each(i, &p->operations[x->thread]))
    if (x->after != ANYWHERE && (int64_t)p->operations[x->thread].at[i] > x->after)
      return order_event(p->order, x->thread, p->operations[x->thread].at[i]);
  return x->thread && count ? order_event(p->order, x->thread, count - 1) : SIGMA_NONE;
}

static uint32_t event_before(const Sampled *p, const Point *x) {
  if (x->after >= 0) return order_event(p->order, x->thread, (uint32_t)x->after);
  return x->thread && order_count(p->order, x->thread) ? order_event(p->order, x->thread, 0) : SIGMA_NONE;
}

static bool ends_before(const Sampled *p, const Point *x, const Point *y) {
  if (x->end == SIGMA_NONE || y->begin == SIGMA_NONE) return false;
  return x->end == y->begin || order_before(p->order, x->end, y->begin);
}

static bool concurrent(const Sampled *p, const Point *x, const Point *y) {
  return !p->order || (!ends_before(p, x, y) && !ends_before(p, y, x));
}

// -- where it is executed

static void add_place(Sampled *p, int64_t access, uint32_t thread, int64_t after, uint32_t set) {
  Point one = {thread, (int32_t)after, set, SIGMA_NONE, SIGMA_NONE};
  Places *all = &p->places[access];
  for (vec_each(i, all))
    if (all->at[i].thread == thread && all->at[i].after == one.after && all->at[i].set == set) return;
  if (p->order && thread < FOREIGN) one.begin = event_before(p, &one), one.end = event_after(p, &one);
  vec_push(all, one);
}

static void find_places(Sampled *p) {
  p->places = mem_array(p->accesses + 1, sizeof *p->places);
  for (all_functions(f, p->m)) {
    uint32_t thread = 0, activation;
    size_t len;
    bool clone = cfspec_clone_of(f, &thread, &activation, &len);
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        int64_t access, after = ANYWHERE;
        LLVMTypeRef type;
        LLVMValueRef pointer = pointer_of(i, &type);
        if (!pointer || !get_number(i, p->origin, &access)) continue;
        uint32_t set = set_of(p, pointer, bytes_of(p->m, type));
        get_number(i, p->after, &after);
        if (clone || !strcmp(LLVMGetValueName(f), "main")) {
          add_place(p, access, thread, after, set);
          continue;
        }
        for (uint32_t t = 0; t < alias_threads(p->a); ++t)
          if (alias_thread_runs(p->a, t, f)) add_place(p, access, p->foreign[t], ANYWHERE, set);
      }
  }
}

static void name_threads(Sampled *p) {
  p->foreign = mem_array(alias_threads(p->a) + 1, sizeof *p->foreign);
  for (uint32_t t = 1; t < alias_threads(p->a); ++t) {
    uint32_t thread, activation;
    size_t len;
    AliasThread x = alias_thread(p->a, t);
    bool clone = x.start && cfspec_clone_of(x.start, &thread, &activation, &len);
    p->foreign[t] = clone ? thread : FOREIGN + 2 * t + x.many;
  }
}

static bool in_two_threads(const Point *x, const Point *y) {
  return x->thread != y->thread || (x->thread >= FOREIGN && x->thread % 2);
}

// -- pairs: accesses with the same places count together

typedef struct {
  uint32_t in;  // group in the program, for what a pair is
  Places *places;
  uint64_t size;
} Group;
typedef Vec(Group) Groups;

typedef struct {
  uint64_t pairs, no, may, must, removed, concurrent, concurrent_may;
} Counts;

static uint32_t key_of(Intern *keys, const Places *a, const Places *b) {
  Bytes key = {0};
  for (vec_each(i, a)) vec_append(&key, (const unsigned char *)&a->at[i], sizeof *a->at);
  bytes_text(&key, "|");
  for (size_t i = 0; b && i < b->len; ++i) vec_append(&key, (const unsigned char *)&b->at[i], sizeof *b->at);
  bytes_text(&key, "|");
  uint32_t id = intern_id(keys, (const char *)key.at, key.len);
  vec_free(&key);
  return id;
}

// Of two accesses all executions in different threads; meeting must be said by all of them.
static void add_pair(const Sampled *p, const Places *x, const Places *y, uint64_t times, Counts *c,
                     uint8_t *known) {
  bool met[3] = {false}, open = false, open_met = false;
  size_t n = p->sets.len;
  for (vec_each(i, x))
    for (size_t k = 0; k < y->len && !(met[1] && open_met); ++k) {
      const Point *a = &x->at[i], *b = &y->at[k];
      if (!in_two_threads(a, b)) continue;
      uint8_t *answer = &known[a->set < b->set ? a->set * n + b->set : b->set * n + a->set];
      if (!*answer) *answer = (uint8_t)(1 + meet(p, a->set, b->set));
      bool now = concurrent(p, a, b);
      met[*answer - 1] = true;
      open |= now, open_met |= now && *answer > 1;
    }
  if (met[1] || (met[0] && met[2]))
    c->may += times;
  else if (met[2])
    c->must += times;
  else
    c->no += times;
  c->concurrent += open ? times : 0;
  c->concurrent_may += open_met ? times : 0;
}

static bool is_pair(const Places *x, const Places *y) {
  for (vec_each(i, x))
    for (vec_each(k, y))
      if (in_two_threads(&x->at[i], &y->at[k])) return true;
  return false;
}

// p: where places are asked; program: whose pairs they are.
static bool count_pairs(const Sampled *p, const Sampled *program, Counts *c) {
  Groups g = {0};
  Intern *keys = intern_new();
  *c = (Counts){0};
  for (uint32_t i = 0; i < p->accesses; ++i) {
    if (!program->places[i].len) continue;
    uint32_t id = key_of(keys, &program->places[i], &p->places[i]);
    if (id == g.len) vec_push(&g, ((Group){i, &p->places[i], 0}));
    g.at[id].size++;
  }
  bool ok = (uint64_t)g.len * g.len < 400000000u && (uint64_t)p->sets.len * p->sets.len < 4000000000u;
  uint8_t *known = ok ? mem_array(p->sets.len * p->sets.len + 1, 1) : NULL;
  for (size_t i = 0; ok && i < g.len; ++i)
    for (size_t k = i; k < g.len; ++k) {
      const Group *x = &g.at[i], *y = &g.at[k];
      uint64_t times = i == k ? x->size * (x->size + 1) / 2 : x->size * y->size;
      if (!is_pair(&program->places[x->in], &program->places[y->in])) continue;
      c->pairs += times;
      if (!x->places->len || !y->places->len)
        c->removed += times, c->no += times;
      else
        add_pair(p, x->places, y->places, times, c, known);
    }
  mem_free(known);
  intern_free(keys);
  vec_free(&g);
  return ok;
}

// -- clones: the operations before each access

static bool is_operation(LLVMValueRef i, int64_t *position) {
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  LLVMValueRef node = f && LLVMGetNumArgOperands(i) ? LLVMGetArgOperand(i, 0) : NULL;
  if (!node || strncmp(LLVMGetValueName(f), "rt_enf_", 7) || !LLVMIsAGlobalVariable(node)) return false;
  const char *name = LLVMGetValueName(node), *dot = strrchr(name, '.');
  if (strncmp(name, "specialize.s", 12) || !dot) return false;
  *position = strtol(dot + 1, NULL, 10);
  return true;
}

typedef struct {
  Sampled *p;
  Map *seen;  // functions and blocks
} Walk;

static int64_t walk(Walk *w, LLVMValueRef f, int64_t at);

static bool is_activation(LLVMValueRef f, uint32_t *thread) {
  uint32_t activation;
  size_t len;
  return f && cfspec_clone_of(f, thread, &activation, &len) && activation != UINT32_MAX;
}

// The highest position that is reached behind it.
static int64_t walk(Walk *w, LLVMValueRef f, int64_t at) {
  typedef struct {
    LLVMBasicBlockRef block;
    int64_t at;
  } Work;
  Vec(Work) work = {0};
  uint32_t thread = 0;
  int64_t last = at;
  if (LLVMIsDeclaration(f) || map_or(w->seen, map_key(f), 0)) return at;
  map_put(w->seen, map_key(f), 1);
  is_activation(f, &thread);
  vec_push(&work, ((Work){LLVMGetEntryBasicBlock(f), at}));
  while (work.len) {
    Work one = vec_pop(&work);
    if (map_or(w->seen, map_key(one.block), 0)) continue;
    map_put(w->seen, map_key(one.block), 1);
    for (all_insts(i, one.block)) {
      int64_t position;
      uint32_t other;
      LLVMTypeRef type;
      if (pointer_of(i, &type)) put_number(w->p, i, w->p->after, one.at);
      if (is_operation(i, &position)) {
        one.at = position;
        vec_push(&w->p->operations[thread], (uint32_t)position);
      } else if (call_is(i) && is_activation(call_function(i), &other)) {
        one.at = walk(w, call_function(i), one.at);
      }
    }
    if (one.at > last) last = one.at;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(one.block);
    for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n)
      vec_push(&work, ((Work){LLVMGetSuccessor(end, n), one.at}));
  }
  vec_free(&work);
  return last;
}

static int by_number(const void *x, const void *y) {
  const uint32_t *a = x, *b = y;
  return (*a > *b) - (*a < *b);
}

// Threads begin in their first activations; what is entered from outside may be entered anywhere.
static void find_after(Sampled *p, uint32_t threads) {
  Walk w = {p, map_new()};
  bool *begun = mem_array(threads + 1, sizeof *begun);
  p->operations = mem_array(threads + 1, sizeof *p->operations);
  for (all_functions(f, p->m)) {
    uint32_t thread;
    if (LLVMIsDeclaration(f) || !is_activation(f, &thread) || thread >= threads) continue;
    walk(&w, f, begun[thread] ? ANYWHERE : thread ? 0 : BEGINNING);
    begun[thread] = true;
  }
  for (uint32_t t = 0; t < threads; ++t)
    if (p->operations[t].len)
      qsort(p->operations[t].at, p->operations[t].len, sizeof *p->operations[t].at, by_number);
  mem_free(begun);
  map_free(w.seen);
}

// -- the whole

static void die(Diags *d) {
  diags_print(d, stderr, "precision");
  exit(2);
}

static void open_program(Sampled *p, Program *l, const char *path, Diags *d) {
  if (!program_open(path, targets_find, l, d)) die(d);
  *p = (Sampled){.c = l->context, .m = l->module, .texts = intern_new()};
  p->origin = LLVMGetMDKindIDInContext(p->c, "precision.origin", 16);
  p->after = LLVMGetMDKindIDInContext(p->c, "precision.after", 15);
  number_accesses(p);
}

static const AliasContexts *contexts;  // --contexts

static void analyse(Sampled *p, AliasOptions how) {
  how.contexts = contexts;
  p->a = alias_new(p->m, &how, NULL);
  name_threads(p);
  find_places(p);
}

// The view of the schedule in the place of the program.
static Sigma *make_view(Sampled *p, Program *l, const char *path, uint32_t schedule, Diags *d) {
  Sigma *s = sigma_read(path, d);
  CfspecFigures figures;
  if (!s || schedule >= s->schedules.len) die(d);
  program_suit(l, s);
  bool *ordinary = sigma_ordinary_sites(s, l->sites);
  if (ordinary) l->sync = maysync_new_without(l->graph, ordinary);
  CfspecInput in = {.module = l->module, .sites = l->sites, .graph = l->graph, .sync = l->sync, .sigma = s};
  in.schedules = &schedule, in.count = 1, in.budget = 4000000, in.soften = true;
  p->order = order_new(s, schedule, d);
  if (!p->order || !cfspec_specialize(&in, &figures, d)) die(d);
  find_after(p, s->schedules.at[schedule]->threads);
  if (!cfspec_view(p->m, schedule, false, d)) die(d);
  return s;
}

static void specialize(Sampled *p, Program *l, const char *path, uint32_t schedule, Diags *d) {
  Sigma *s = make_view(p, l, path, schedule, d);
  printf("share %.1f\n", 100 * schedule_share(s->schedules.at[schedule]));
  AliasOptions how = {.summaries = cfspec_view_summaries};
  analyse(p, how);
}

// -- with values

enum { NO = 1, MAY = 2, MUST = 4, OPEN = 8, OPEN_MET = 16 };

static bool ranges_meet(const Alias *a, const Access *x, const Access *y) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges))
      if (alias_ranges_meet(a, &x->ranges.at[i], &y->ranges.at[k])) return true;
  return false;
}

static unsigned meeting_of(Flow *f, const Access *x, const Access *y) {
  if (!ranges_meet(flow_aliases(f), x, y)) return NO;
  FlowMeeting m = flow_meet(f, x, y, NULL);
  return m == FLOW_DISTINCT || m == FLOW_NEVER ? NO : m == FLOW_OVERLAP ? MUST : MAY;
}

// Whether they are in two threads, and may be executed at the same time.
static bool apart_in_time(const Code *c, const Access *x, const Access *y, bool *two) {
  bool open = false;
  *two = false;
  for (vec_each(i, &x->regions))
    for (vec_each(k, &y->regions)) {
      Region r = x->regions.at[i], s = y->regions.at[k];
      if (r.thread == s.thread) continue;
      *two = true;
      open |= !code_before(c, r, s, false) && !code_before(c, s, r, false);
    }
  return !open;
}

static uint64_t pair_key(int64_t a, int64_t b) {
  return (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a);
}

// Of pairs of the program's accesses: what holds of their copies.
static Map *ask_pairs(const Sampled *p, Flow *f) {
  const Accesses *all = flow_accesses(f);
  Map *found = map_new();
  size_t n = accesses_count(all);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = i; k < n; ++k) {
      const Access *x = accesses_at(all, i), *y = accesses_at(all, k);
      int64_t a, b;
      bool two;
      if (!get_number(x->inst, p->origin, &a) || !get_number(y->inst, p->origin, &b)) continue;
      bool ordered = apart_in_time(flow_code(f), x, y, &two);
      if (!two) continue;
      uint64_t key = pair_key(a, b), known = map_or(found, key, 0);
      if (known & MAY && (ordered || known & OPEN_MET)) continue;
      unsigned now = meeting_of(f, x, y);
      known |= now | (ordered ? 0 : OPEN) | (!ordered && now != NO ? OPEN_MET : 0);
      map_put(found, key, known);
    }
  return found;
}

// Where there is no copy in two threads, the pair does not meet.
static Counts count_facts(const Sampled *program, const Map *found) {
  Counts c = {0};
  for (uint32_t i = 0; i < program->accesses; ++i)
    for (uint32_t k = i; k < program->accesses; ++k) {
      if (!is_pair(&program->places[i], &program->places[k])) continue;
      uint64_t is = map_or(found, pair_key(i, k), 0);
      c.pairs++, c.removed += !is;
      c.may += is & MAY || (is & NO && is & MUST), c.must += (is & (NO | MAY | MUST)) == MUST;
      c.no += !(is & (MAY | MUST));
      c.concurrent += (is & OPEN) != 0, c.concurrent_may += (is & OPEN_MET) != 0;
    }
  return c;
}

static void facts(const Sampled *program, const char *path, const char *sigma, uint32_t schedule, Diags *d) {
  Sampled p;
  Program l;
  AliasOptions how = {.summaries = cfspec_view_summaries};
  open_program(&p, &l, path, d);
  make_view(&p, &l, sigma, schedule, d);
  Flow *f = flow_new(&(FlowInput){.view = p.m, .order = p.order, .alias = &how, .budget = 4000000}, d);
  if (!f) die(d);
  Map *found = ask_pairs(&p, f);
  Counts c = count_facts(program, found);
  printf("facts pairs %llu no %llu may %llu must %llu removed %llu concurrent %llu concurrent-may %llu\n",
         (unsigned long long)c.pairs, (unsigned long long)c.no, (unsigned long long)c.may,
         (unsigned long long)c.must, (unsigned long long)c.removed, (unsigned long long)c.concurrent,
         (unsigned long long)c.concurrent_may);
  map_free(found);
  flow_free(f);
}

static void print(const char *what, const Sampled *p, const Sampled *program) {
  Counts c;
  bool ok = count_pairs(p, program, &c);
  printf(
      "%s accesses %zu ranges %zu unknown %zu pairs %llu no %llu may %llu must %llu removed %llu "
      "concurrent %llu concurrent-may %llu\n",
      what, p->all, p->ranges, p->unknown, ok ? (unsigned long long)c.pairs : 0, (unsigned long long)c.no,
      (unsigned long long)c.may, (unsigned long long)c.must, (unsigned long long)c.removed,
      (unsigned long long)c.concurrent, (unsigned long long)c.concurrent_may);
  fflush(stdout);
}

// -- as aa-eval counts

typedef struct {
  LLVMValueRef pointer;
  LLVMTypeRef type;
} Typed;
typedef Vec(Typed) TypedVec;

static void add_typed(TypedVec *v, Map *seen, LLVMValueRef pointer, LLVMTypeRef type) {
  uint64_t key = map_key(pointer) * 31 ^ map_key(type);
  if (map_or(seen, key, 0)) return;
  map_put(seen, key, 1);
  vec_push(v, ((Typed){pointer, type}));
}

static void count_function(const Alias *a, LLVMModuleRef m, LLVMValueRef f, uint64_t *counts) {
  TypedVec v = {0};
  Map *seen = map_new();
  LLVMTypeRef type;
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
        LLVMValueRef pointer = pointer_of(i, &type);
        add_typed(&v, seen, pointer, type);
      }
  for (vec_each(i, &v))
    for (size_t k = 0; k < i; ++k)
      counts[alias_query(a, v.at[i].pointer, bytes_of(m, v.at[i].type), NULL, v.at[k].pointer,
                         bytes_of(m, v.at[k].type), NULL)]++;
  map_free(seen);
  vec_free(&v);
}

static int pairs(const char *path) {
  Diags *d = diags_new();
  LLVMContextRef c = module_context(d);
  Bytes b = {0};
  LLVMModuleRef m = file_read(path, &b) ? NULL : module_parse(c, span_of(b.at, b.len), path, d);
  if (!m) die(d);
  uint64_t counts[3] = {0};
  Alias *a = alias_new(m, NULL, NULL);
  for (all_functions(f, m)) count_function(a, m, f, counts);
  printf("no %llu may %llu must %llu\n", (unsigned long long)counts[ALIAS_NO],
         (unsigned long long)counts[ALIAS_MAY], (unsigned long long)counts[ALIAS_MUST]);
  return 0;
}

int main(int argc, char **argv) {
  Diags *d = diags_new();
  if (argc == 3 && !strcmp(argv[1], "pairs")) return pairs(argv[2]);
  static const AliasContexts all = {.seconds = 300};
  if (argc > 1 && !strcmp(argv[1], "--contexts")) contexts = &all, --argc, ++argv;
  if (argc != 2 && argc != 4) return 2;
  Sampled program, clones;
  Program l, k;
  open_program(&program, &l, argv[1], d);
  analyse(&program, (AliasOptions){0});
  print("program", &program, &program);
  if (argc == 2) return 0;
  open_program(&clones, &k, argv[1], d);
  specialize(&clones, &k, argv[2], (uint32_t)strtoul(argv[3], NULL, 10), d);
  print("clones", &clones, &program);
  facts(&program, argv[1], argv[2], (uint32_t)strtoul(argv[3], NULL, 10), d);
  return 0;
}
