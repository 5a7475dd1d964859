// Call graphs: each way of calling in one module, and random ones against a transitive closure.
#undef NDEBUG
#include "calls.h"
#include "graph.h"

static const char ir[] =
    "@table = global [2 x ptr] [ptr @in_table, ptr null]\n"
    "@ops = internal constant { i32, ptr } { i32 1, ptr @in_ops }\n"
    "@more = internal constant [1 x ptr] [ptr @ops]\n"
    "@hook = external global ptr\n"
    "@llvm.used = appending global [1 x ptr] [ptr @used], section \"llvm.metadata\"\n"
    "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @ctor, "
    "ptr null }]\n"
    "@other = alias void (), ptr @aliased\n"
    "@chosen = ifunc void (), ptr @resolver\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare i32 @pthread_once(ptr, ptr)\n"
    "declare void @qsort(ptr, i64, i64, ptr)\n"
    "declare i32 @atexit(ptr)\n"
    "declare ptr @signal(i32, ptr)\n"
    "declare i32 @pthread_key_create(ptr, ptr)\n"
    "declare void @exit(i32)\n"
    "declare i32 @printf(ptr, ...)\n"
    "declare void @library(ptr)\n"
    "declare void @library_run()\n"
    "declare void @_ZNSo5applyEPFvvE(ptr)\n"
    "declare i32 @__gxx_personality_v0(...)\n"
    "define void @in_table() { ret void }\n"
    "define internal i32 @in_ops(ptr %p) { ret i32 0 }\n"
    "define internal void @used() { ret void }\n"
    "define internal void @ctor() { ret void }\n"
    "define internal void @aliased() { ret void }\n"
    "define internal void @fast() { ret void }\n"
    "define internal void @slow() { ret void }\n"
    "define internal ptr @resolver(i1 %c) { %r = select i1 %c, ptr @fast, ptr @slow ret ptr %r }\n";

static const char body[] =
    "define internal ptr @worker(ptr %p) { ret ptr null }\n"
    "define internal i32 @less(ptr %a, ptr %b) { ret i32 0 }\n"
    "define internal void @at_end() { ret void }\n"
    "define internal void @on_signal(i32 %s) { ret void }\n"
    "define internal void @destroy(ptr %p) { ret void }\n"
    "define internal void @given(i32 %x) { ret void }\n"
    "define internal void @hooked() { ret void }\n"
    "define internal void @manip() { ret void }\n"
    "define internal void @compared() { ret void }\n"
    "define internal double @real(double %x) { ret double %x }\n"
    "define internal void @many(i32 %a, i32 %b) { ret void }\n"
    "define internal void @any(...) { ret void }\n"
    "define internal i32 @self(i32 %n) { %r = musttail call i32 @self(i32 %n) ret i32 %r }\n"
    "define internal void @left() { call void @right() ret void }\n"
    "define internal void @right() { call void @left() ret void }\n"
    "define internal void @labels(ptr %p) {\n"
    "  indirectbr ptr %p, [label %a]\n"
    "a: ret void\n"
    "}\n"
    "define void @f(ptr %p, ptr %q, i1 %c) personality ptr @__gxx_personality_v0 {\n"
    "  %t = alloca ptr\n"
    "  call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr null)\n"  // f#0
    "  call void @qsort(ptr %p, i64 1, i64 1, ptr @less)\n"                  // f#1
    "  call void @qsort(ptr %p, i64 1, i64 1, ptr %q)\n"                     // f#2
    "  call i32 @atexit(ptr @at_end)\n"                                      // f#3
    "  call ptr @signal(i32 2, ptr @on_signal)\n"                            // f#4
    "  call ptr @signal(i32 3, ptr inttoptr (i64 1 to ptr))\n"               // f#5
    "  call i32 @pthread_key_create(ptr %t, ptr @destroy)\n"                 // f#6
    "  call void @library(ptr @given)\n"                                     // f#7
    "  call void @library(ptr @more)\n"                                      // f#8
    "  call void @library_run()\n"                                           // f#9
    "  store ptr @hooked, ptr @hook\n"
    "  call void @_ZNSo5applyEPFvvE(ptr @manip)\n"  // f#10
    "  call void @other()\n"                        // f#11
    "  call void @chosen()\n"                       // f#12
    "  call void asm \"\", \"\"()\n"                // f#13
    "  store ptr @real, ptr %t\n"
    "  store ptr @many, ptr %t\n"
    "  store ptr @any, ptr %t\n"
    "  store ptr blockaddress(@labels, %a), ptr %t\n"
    "  call void %p()\n"                   // f#14
    "  call void %p(i32 1)\n"              // f#15
    "  %u = call i64 %p(i64 1, ptr %q)\n"  // f#16
    "  store i64 %u, ptr %t\n"
    "  call double %p(double 1.0)\n"         // f#17
    "  call void %p(float 1.0, ptr null)\n"  // f#18
    "  %k = icmp eq ptr %p, @compared\n"
    "  invoke void @left() to label %ok unwind label %bad\n"  // f#19
    "ok:\n"
    "  call i32 @pthread_once(ptr %p, ptr @left)\n"                            // f#20
    "  call i32 (ptr, ...) @printf(ptr @hook)\n"                               // f#21
    "  call void @exit(i32 0)\n"                                               // f#22
    "  %big = call { i64, i64, i64 } %p({ i64, i64, i64 } zeroinitializer)\n"  // f#23
    "  ret void\n"
    "bad:\n"
    "  %l = landingpad { ptr, i32 } cleanup\n"
    "  resume { ptr, i32 } %l\n"
    "}\n"
    "define i32 @main() { %r = call i32 @self(i32 1) ret i32 0 }\n";

static char *names(const Calls *c, Ids functions) {
  Bytes b = {0};
  size_t len;
  for (vec_each(i, &functions)) {
    if (i) bytes_text(&b, " ");
    bytes_text(&b, LLVMGetValueName2(callgraph_function(c->graph, functions.at[i]), &len));
  }
  vec_push(&b, 0);
  return (char *)b.at;
}

static void targets(const Calls *c, const char *at, const char *want) {
  char *seen = names(c, callgraph_targets(c->graph, calls_site(c, at)));
  if (strcmp(seen, want)) fprintf(stderr, "%s: %s\n", at, seen);
  assert(!strcmp(seen, want));
  mem_free(seen);
}

static void passes(const Calls *c, const char *at, LibraryWhen when, const char *want) {
  assert(callgraph_passes(c->graph, calls_site(c, at)) == 1);
  CallgraphPass p = callgraph_pass(c->graph, calls_site(c, at), 0);
  char *seen = names(c, p.functions);
  if (strcmp(seen, want)) fprintf(stderr, "%s: %s\n", at, seen);
  assert(p.when == when && !strcmp(seen, want));
  mem_free(seen);
}

static void test_targets(const Calls *c) {
  targets(c, "f#0", "pthread_create");
  targets(c, "f#11", "aliased");
  targets(c, "f#12", "fast slow");
  targets(c, "f#13", "");
  targets(c, "f#14", "in_table fast slow hooked manip any");
  targets(c, "f#15", "in_table in_ops fast slow on_signal given hooked manip any");
  targets(c, "f#16", "in_ops");
  targets(c, "f#17", "in_table fast slow hooked manip real any");
  targets(c, "f#18", "in_table fast slow hooked manip any");
  targets(c, "f#19", "left");
  targets(c, "self#0", "self");
  targets(c, "f#23", "in_table fast slow hooked manip any");
  assert(callgraph_direct(c->graph, calls_site(c, "f#11")) &&
         !callgraph_direct(c->graph, calls_site(c, "f#12")));
  assert(!callgraph_direct(c->graph, calls_site(c, "f#13")) &&
         !callgraph_direct(c->graph, calls_site(c, "f#16")));
}

static void test_passes(const Calls *c) {
  passes(c, "f#0", LIBRARY_THREAD, "worker");
  passes(c, "f#1", LIBRARY_NOW, "less");
  passes(c, "f#2", LIBRARY_NOW, "in_ops");
  passes(c, "f#3", LIBRARY_AT_EXIT, "at_end");
  passes(c, "f#4", LIBRARY_ON_SIGNAL, "on_signal");
  passes(c, "f#6", LIBRARY_AT_THREAD_EXIT, "destroy");
  passes(c, "f#7", LIBRARY_NOW, "given");
  passes(c, "f#10", LIBRARY_NOW, "manip");
  passes(c, "f#20", LIBRARY_NOW, "left");
  static const char *const none[] = {"f#5", "f#8", "f#9", "f#11", "f#14", "f#21"};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
    assert(!callgraph_passes(c->graph, calls_site(c, none[i])));
}

static bool runs(const Calls *c, const char *callee, const char *at) {
  bool *functions = mem_array(callgraph_count(c->graph), 1), *sites = mem_array(sites_count(c->sites), 1);
  functions[calls_function(c, callee)] = true;
  callgraph_mark_callers(c->graph, functions, sites);
  bool yes = sites[calls_site(c, at)];
  assert(!yes || functions[callgraph_id(c->graph, sites_function(c->sites, calls_site(c, at)))]);
  mem_free(functions);
  mem_free(sites);
  return yes;
}

static void test_runs(const Calls *c) {
  assert(runs(c, "less", "f#1") && !runs(c, "less", "f#2") && !runs(c, "worker", "f#0"));
  assert(runs(c, "at_end", "f#22") && !runs(c, "at_end", "f#3") && runs(c, "destroy", "f#22"));
  // What was given to one unknown function all of them may call, but no known one.
  assert(runs(c, "given", "f#9") && runs(c, "in_ops", "f#9") && runs(c, "in_ops", "f#8") &&
         !runs(c, "in_ops", "f#21"));
  assert(runs(c, "hooked", "f#21") && runs(c, "hooked", "f#9") && !runs(c, "manip", "f#21"));
  assert(runs(c, "right", "f#20") && runs(c, "right", "f#19") && runs(c, "self", "main#0"));
}

static void test_properties(const Calls *c) {
  const Callgraph *g = c->graph;
  assert(callgraph_entries(g, calls_function(c, "main")) == ENTRY_MAIN &&
         callgraph_entries(g, calls_function(c, "worker")) == ENTRY_THREAD);
  assert(callgraph_entries(g, calls_function(c, "ctor")) == ENTRY_CONSTRUCTOR &&
         callgraph_entries(g, calls_function(c, "less")) == ENTRY_CALLBACK);
  assert(callgraph_entries(g, calls_function(c, "at_end")) == ENTRY_LATER &&
         callgraph_entries(g, calls_function(c, "on_signal")) == ENTRY_SIGNAL);
  assert(callgraph_entries(g, calls_function(c, "resolver")) == ENTRY_RESOLVER &&
         !callgraph_entries(g, calls_function(c, "right")));
  assert(callgraph_entries(g, calls_function(c, "in_ops")) == (ENTRY_LATER | ENTRY_CALLBACK));
  assert(!callgraph_taken(g, calls_function(c, "worker")) &&
         callgraph_taken(g, calls_function(c, "on_signal")) &&
         callgraph_taken(g, calls_function(c, "in_ops")));
  assert(!callgraph_taken(g, calls_function(c, "compared")) &&
         !callgraph_taken(g, calls_function(c, "labels")) && !callgraph_taken(g, calls_function(c, "used")));
  assert(callgraph_visible(g, calls_function(c, "used")) &&
         callgraph_visible(g, calls_function(c, "aliased")) && callgraph_visible(g, calls_function(c, "f")));
  assert(!callgraph_visible(g, calls_function(c, "left")) &&
         !callgraph_visible(g, calls_function(c, "library")));
  assert(callgraph_unknown(g, calls_function(c, "library")) &&
         !callgraph_unknown(g, calls_function(c, "printf")));
  assert(callgraph_recursive(g, calls_function(c, "self")) &&
         callgraph_recursive(g, calls_function(c, "left")) &&
         !callgraph_recursive(g, calls_function(c, "f")));
  assert(callgraph_component(g, calls_function(c, "left")) ==
         callgraph_component(g, calls_function(c, "right")));
  assert(callgraph_component(g, calls_function(c, "left")) < callgraph_component(g, calls_function(c, "f")));
  assert(callgraph_members(g, callgraph_component(g, calls_function(c, "left"))).len == 2);
  IdVec callers = {0};
  callgraph_callers(g, calls_function(c, "manip"), &callers);
  assert(callers.len == 5 && callers.at[0] == calls_site(c, "f#14") &&
         callers.at[4] == calls_site(c, "f#23"));
  vec_free(&callers);
}

// Functions outside, called by pointers: one that is known, and one of which nothing is.
static const char by_pointer[] =
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare void @library_run()\n"
    "define internal ptr @routine(ptr %p) { ret ptr null }\n"
    "define internal void @kept() { ret void }\n"
    "define void @f(ptr %p, ptr %cell) {\n"
    "  store ptr @pthread_create, ptr %cell\n"
    "  call i32 %p(ptr %cell, ptr null, ptr @routine, ptr null)\n"
    "  %x = call fp128 %p(ptr @kept)\n"
    "  store fp128 %x, ptr %cell\n"
    "  call void @library_run()\n"
    "  call void dso_local_equivalent @named()\n"
    "  call void no_cfi @named()\n"
    "  store ptr no_cfi @stored, ptr %cell\n"
    "  ret void\n"
    "}\n"
    "define void @named() { ret void }\n"
    "define void @stored(double %x) { ret void }\n";

static void test_pointers(void) {
  Calls c = calls_of(by_pointer);
  targets(&c, "f#0", "pthread_create routine kept");
  targets(&c, "f#1", "");
  passes(&c, "f#0", LIBRARY_THREAD, "routine");
  passes(&c, "f#1", LIBRARY_NOW, "kept");
  assert(callgraph_entries(c.graph, calls_function(&c, "routine")) == ENTRY_THREAD);
  assert(callgraph_entries(c.graph, calls_function(&c, "kept")) == (ENTRY_CALLBACK | ENTRY_LATER));
  assert(runs(&c, "kept", "f#2") && runs(&c, "kept", "f#1"));
  targets(&c, "f#3", "named");
  targets(&c, "f#4", "named");
  assert(callgraph_taken(c.graph, calls_function(&c, "stored")) &&
         !callgraph_taken(c.graph, calls_function(&c, "named")));
  calls_free(&c);
}

// Functions n0 ... : some have their address taken, calls are direct or of one of two signatures.
static char *random_module(uint64_t *state, unsigned count, bool (*direct)[GRAPH_LARGEST], bool *taken,
                           bool *calls, bool *two) {
  Bytes b = {0};
  bytes_text(&b, "@g = global ptr null\ndeclare i32 @pthread_mutex_lock(ptr)\n");
  for (unsigned f = 0; f < count; ++f) two[f] = graph_random(state, 2);
  for (unsigned f = 0; f < count; ++f) {
    char *head = mem_format("define void @n%u(%s) {\n", f, two[f] ? "float %x, float %y" : "double %x");
    bytes_text(&b, head);
    mem_free(head);
    for (unsigned to = 0; to < count; ++to) {
      direct[f][to] = graph_random(state, count) == 0;
      char *call = direct[f][to] ? mem_format("  call void @n%u(%s)\n", to,
                                              two[to] ? "float 0.0, float 0.0" : "double 0.0")
                                 : mem_string("");
      bytes_text(&b, call);
      mem_free(call);
    }
    for (unsigned kind = 0; kind < 2; ++kind) {
      calls[2 * f + kind] = graph_random(state, 8) == 0;
      if (!calls[2 * f + kind]) continue;
      bytes_text(&b, kind ? "  %p1 = load ptr, ptr @g\n  call void %p1(float 0.0, float 0.0)\n"
                          : "  %p0 = load ptr, ptr @g\n  call void %p0(double 0.0)\n");
    }
    taken[f] = graph_random(state, 4) == 0;
    char *store = taken[f] ? mem_format("  store ptr @n%u, ptr @g\n", f) : mem_string("");
    bytes_text(&b, store);
    mem_free(store);
    bytes_text(&b, graph_random(state, 12) ? "" : "  call i32 @pthread_mutex_lock(ptr @g)\n");
    bytes_text(&b, "  ret void\n}\n");
  }
  vec_push(&b, 0);
  return (char *)b.at;
}

static bool locks(LLVMValueRef f) {
  for (all_insts(i, LLVMGetEntryBasicBlock(f)))
    if (call_is(i) && sync_of_call(i)) return true;
  return false;
}

static void test_random(uint64_t seed) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  unsigned n = 1 + graph_random(&state, GRAPH_LARGEST);
  bool direct[GRAPH_LARGEST][GRAPH_LARGEST] = {0}, taken[GRAPH_LARGEST], calls[2 * GRAPH_LARGEST],
       two[GRAPH_LARGEST];
  char *text = random_module(&state, n, direct, taken, calls, two);
  Calls c = calls_of(text);
  GraphMatrix m = {.count = n};
  for (unsigned f = 0; f < n; ++f)
    for (unsigned to = 0; to < n; ++to)
      m.edge[f][to] = direct[f][to] || (taken[to] && calls[2 * f + two[to]]);
  bool seen[GRAPH_LARGEST + 1], back[GRAPH_LARGEST + 1];
  for (unsigned f = 0; f < n; ++f) {
    bool sync = false, cyclic = false;
    uint32_t at = 1 + f;  // pthread_mutex_lock comes first
    graph_reach(&m, f, CFG_NONE, seen);
    for (unsigned to = 0; to < n; ++to) {
      graph_reach(&m, to, CFG_NONE, back);
      sync = sync || (seen[to] && locks(callgraph_function(c.graph, 1 + to)));
      cyclic = cyclic || (m.edge[f][to] && back[f]);
      bool together = seen[to] && back[f];
      assert((callgraph_component(c.graph, at) == callgraph_component(c.graph, 1 + to)) == together);
      if (seen[to]) assert(callgraph_component(c.graph, 1 + to) <= callgraph_component(c.graph, at));
    }
    assert(maysync_function(c.may, at) == sync && callgraph_recursive(c.graph, at) == cyclic &&
           callgraph_taken(c.graph, at) == taken[f]);
  }
  calls_free(&c);
  mem_free(text);
}

// Of two functions that fit, points-to may know which one a call enters.
static void test_known(void) {
  Calls c = calls_of(
      "@g = global [2 x ptr] [ptr @takes, ptr @rests]\n"
      "declare i32 @pthread_mutex_lock(ptr)\n"
      "define internal void @takes(ptr %m) { call i32 @pthread_mutex_lock(ptr %m) ret void }\n"
      "define internal void @rests(ptr %m) { ret void }\n"
      "define void @f(ptr %p) { call void %p(ptr null) ret void }\n"
      "define void @h(ptr %p) { call void %p(ptr null) ret void }\n");
  assert(maysync_derived(c.may, calls_site(&c, "f#0")) && maysync_derived(c.may, calls_site(&c, "h#0")));
  Pairs known = {0};
  pairs_add(&known, calls_site(&c, "f#0"), calls_function(&c, "rests"));
  Callgraph *g = callgraph_new_with(c.module, c.sites, &known);
  Maysync *may = maysync_new(g);
  Ids targets = callgraph_targets(g, calls_site(&c, "f#0"));
  assert(targets.len == 1 && targets.at[0] == calls_function(&c, "rests"));
  assert(!callgraph_direct(g, calls_site(&c, "f#0")));
  assert(!maysync_derived(may, calls_site(&c, "f#0")) && maysync_derived(may, calls_site(&c, "h#0")));
  assert(callgraph_targets(g, calls_site(&c, "h#0")).len == 2);
  maysync_free(may);
  callgraph_free(g);
  vec_free(&known);
  calls_free(&c);
}

int main(void) {
  char *text = mem_format("%s%s", ir, body);
  Calls c = calls_of(text);
  test_targets(&c);
  test_passes(&c);
  test_runs(&c);
  test_properties(&c);
  calls_free(&c);
  mem_free(text);
  test_pointers();
  test_known();
  for (uint64_t seed = 1; seed <= 400; ++seed) test_random(seed);
  return 0;
}
