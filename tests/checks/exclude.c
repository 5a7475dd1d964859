// record/exclude and record/section: what excluder_check and section_check notice, and what a Σ that was
// changed by hand may say.
#undef NDEBUG
#include "record/exclude.c"
#include "dies.h"
#include "tests/unit/parse.h"

static const char text[] =
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare i32 @pthread_mutex_unlock(ptr)\n"
    "declare i32 @puts(ptr)\n"
    "@m = global [40 x i8] zeroinitializer\n"
    "define i32 @main(i32 %n) {\n"
    "  %a = call i32 @pthread_mutex_lock(ptr @m)\n"
    "  %t = icmp eq i32 %n, 1\n"
    "  br i1 %t, label %x, label %y\n"
    "x:\n"
    "  %b = call i32 @pthread_mutex_unlock(ptr @m)\n"
    "  br label %z\n"
    "y:\n"
    "  %c = call i32 @pthread_mutex_unlock(ptr @m)\n"
    "  br label %z\n"
    "z:\n"
    "  %d = call i32 @puts(ptr @m)\n"
    "  ret i32 0\n"
    "}\n";

typedef struct {
  LLVMContextRef c;
  LLVMModuleRef m;
  Sites *sites;
  Callgraph *graph;
  Maysync *sync;
} Code;

static Code code_of(void) {
  Code x = {.c = LLVMContextCreate()};
  x.m = parse(x.c, text);
  x.sites = sites_new(x.m);
  x.graph = callgraph_new(x.m, x.sites);
  x.sync = maysync_new(x.graph);
  return x;
}

static void code_free(Code *x) {
  maysync_free(x->sync);
  callgraph_free(x->graph);
  sites_free(x->sites);
  LLVMDisposeModule(x->m);
  LLVMContextDispose(x->c);
}

static Sigma *sigma_of(const char *sites, const char *events) {
  Diags *diags = diags_new();
  char *all = mem_format(
      "sigma 1\nprogram app\nmodule 00\nschedules 1\n%sschedule 0\norigin written\norder hb\nat main\n"
      "when false\nobject m0 mutex name m\n%st0 exit\nend\n",
      sites, events);
  Sigma *s = sigma_parse(span_of(all, strlen(all)), "app.sigma", diags);
  assert(s && !diags_count(diags));
  diags_free(diags);
  mem_free(all);
  return s;
}

static void check(void *k) {
  excluder_check(k);
}

static void test_excluder(const Code *x) {
  Sigma *s = sigma_of("site 0 main#0 lock\nsite 1 main#1 unlock\n", "t0 lock 0 m0\nt0 unlock 1 m0\n");
  Diags *diags = diags_new();
  Excluder k = {.s = s, .n = &(ImportNames){x->sites, x->graph, x->sync, ""}, .diags = diags};
  start(&k);
  excluder_check(&k);
  uint32_t root = root_of(&k, 0);
  assert(root == root_of(&k, 1) && root == node_named(&k, s->schedules.at[0]->objects.at[0].name));
  k.nodes.at[0].parent = (uint32_t)k.nodes.len;
  dies_in("excluder_check", check, &k);
  k.nodes.at[0].parent = 1, k.nodes.at[1].parent = 0;  // round and round
  dies_in("excluder_check", check, &k);
  k.nodes.at[0].parent = k.nodes.at[1].parent = root;
  k.nodes.at[root].out = true, k.nodes.at[root].never = "because";
  dies_in("excluder_check", check, &k);
  k.nodes.at[root].out = false, k.nodes.at[root].never = NULL, k.nodes.at[1].name = 0;
  dies_in("excluder_check", check, &k);
  k.nodes.at[1].name = SIGMA_NONE, k.nodes.at[1].family = SYNC_COND;
  dies_in("excluder_check", check, &k);
  k.nodes.at[1].family = SYNC_MUTEX;
  excluder_check(&k);
  stop(&k);
  diags_free(diags);
  sigma_free(s);
}

static void check_section(void *k) {
  section_check(k);
}

static void test_section(const Code *x) {
  bool ordinary[4] = {true, true, true, false}, used[4] = {0};
  SectionOf of = {x->sites, x->graph, x->sync, ordinary, used};
  section_check(&of);
  ordinary[3] = true;  // puts
  dies_in("section_check", check_section, &of);
  ordinary[3] = false;
  Sites *others = sites_new(x->m);
  of.sites = others;
  dies_in("section_check", check_section, &of);
  sites_free(others);
}

// Whether everything can be left out, and the Σ be read again.
static bool excludes(const Code *x, const char *sites, const char *events) {
  Sigma *s = sigma_of(sites, events);
  Diags *diags = diags_new();
  Exclude all = {.most = 0};
  Bytes out = {0};
  bool ok = sigma_exclude(s, &(ImportNames){x->sites, x->graph, x->sync, ""}, &all, diags);
  assert(ok == !diags_errors(diags));
  sigma_print(s, &out);
  Sigma *again = sigma_parse(span_of(out.at, out.len), "again.sigma", diags);
  assert(again);
  ok = ok && again->exclusions.len;
  vec_free(&out);
  diags_free(diags);
  sigma_free(s), sigma_free(again);
  return ok;
}

int main(void) {
  Code x = code_of();
  static const char events[] = "t0 lock 0 m0\nt0 unlock 1 m0\n";
  test_excluder(&x);
  test_section(&x);
  assert(excludes(&x, "site 0 main#0 lock\nsite 1 main#1 unlock\n", events));
  // The other unlock is found on the way, whatever a line that no event uses says of it.
  assert(excludes(&x, "site 0 main#0 lock\nsite 1 main#1 unlock\nsite 2 main#2 call\n", events));
  // Sites that are something else in the module: puts is said to lock, the lock to unlock.
  assert(!excludes(&x, "site 0 main#3 lock\nsite 1 main#1 unlock\n", events));
  assert(!excludes(&x, "site 0 main#1 lock\nsite 1 main#0 unlock\n", events));
  assert(!excludes(&x, "exclude mutex m\nsite 0 main#3 lock excluded\n", ""));
  assert(!excludes(&x, "exclude mutex main#3\nsite 0 main#3 lock\n", ""));
  code_free(&x);
  return 0;
}
