// record/exclude: what a Σ that was changed by hand may say.
#undef NDEBUG
#include <assert.h>
#include "record/record.h"
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
