// specialize-cc, specialize-c++: clang with bitcode kept. Loads no LLVM: compiling a file costs one process
// more and two names changed in the object. The same binary, called as `ld`, stands before the linker
// (cc_link.c).
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app/app.h"

static const char *const capture_flags[] = {"--start-no-unused-arguments", "-Xclang", "-fembed-bitcode=all",
                                            "--end-no-unused-arguments"};

static _Noreturn void cannot_start(const char *program) {
  fprintf(stderr, "specialize-cc: error: cannot run %s: %s\n", program, strerror(errno));
  if (errno == E2BIG)
    fprintf(stderr,
            "specialize-cc: note: too many arguments for one command; put them into a file and pass @FILE\n");
  else
    fprintf(stderr,
            "specialize-cc: note: install clang-19, or set SPECIALIZE_CLANG; `specialize doctor` explains\n");
  exit(4);
}

// The linker that clang would call: by its own rules, so we ask it. NULL if there is none; clang then says
// so.
static char *real_linker(const CcPlan *p, const char *clang) {
  const char *wanted = p->ld_path && *p->ld_path ? p->ld_path : p->fuse_ld && *p->fuse_ld ? p->fuse_ld : "ld";
  if (strchr(wanted, '/')) return mem_string(wanted);
  char *name = mem_format("%s%s", p->ld_path || !strcmp(wanted, "ld") ? "" : "ld.", wanted);
  char *path = linker_ask(clang, &p->finders, name);
  mem_free(name);
  return path;
}

static void add_ours(Args *a, const CcPlan *p, const char *clang) {
  if (p->capture)
    for (size_t i = 0; i < sizeof capture_flags / sizeof *capture_flags; ++i) args_add(a, capture_flags[i]);
  char *linker = p->links ? real_linker(p, clang) : NULL;
  if (!linker) return;
  char *dir = self_dir();
  setenv("SPECIALIZE_LD_REAL", linker, 1);
  args_add(a, capture_flags[0]);
  args_addf(a, "--ld-path=%s/" SPECIALIZE_LD_PATH, dir);
  args_add(a, capture_flags[3]);
  mem_free(dir);
  mem_free(linker);
}

static int compile(char *const *user, const char *clang, const CcPlan *p) {
  Args a = {0};
  args_add(&a, clang);
  for (size_t i = 0; user[i]; ++i) {
    if (i == p->end) add_ours(&a, p, clang);
    args_add(&a, user[i]);
  }
  if (!user[p->end]) add_ours(&a, p, clang);
  char **argv = args_done(&a);
  if (!p->objects.len) {
    run_instead(argv);
    cannot_start(clang);
  }
  int status = run_wait(argv, -1);
  if (status < 0) cannot_start(clang);
  for (vec_each(i, &p->objects)) retag_object(p->objects.at[i]);
  args_free(&a);
  return status;
}

static bool is_cxx(const char *name) {
  size_t n = strlen(name);
  return n > 2 && !strcmp(name + n - 2, "++");
}

int main(int argc, char **argv) {
  const char *name = argc ? file_base(argv[0]) : "specialize-cc";
  if (!strcmp(name, "ld")) return link_main(argv);
  char **user = argv + (argc > 0);
  char *clang = clang_path(is_cxx(name));
  CcPlan plan = {0};
  if (!env_on("SPECIALIZE_PASSTHROUGH")) plan = cc_plan(user);
  if (!plan.capture && !plan.links) {
    argv[0] = clang;
    run_instead(argv);
    cannot_start(clang);
  }
  int status = compile(user, clang, &plan);
  cc_plan_free(&plan);
  mem_free(clang);
  end_like(status);
}
