#include "cc_link.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cc_args.h"
#include "elf.h"
#include "ld_args.h"
#include "sections.h"
#include "trace.h"

typedef struct {
  char **argv;  // as we were called
  const char *linker, *output;
  Args expanded;
  LdArgs args;
  Trace trace;
} Link;

static const ElfRename tags[] = {{OBJECT_BITCODE_RAW, OBJECT_BITCODE}, {OBJECT_COMMAND_RAW, OBJECT_COMMAND}};

void retag_object(const char *path) {
  struct stat st;
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
    size_t len = (size_t)st.st_size;
    unsigned char *file = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    Elf e = {0};
    if (file != MAP_FAILED && !elf_read(span_of(file, len), &e) && e.type == ET_REL &&
        elf_section(&e, OBJECT_COMMAND_RAW))
      elf_retag(file, &e, tags, sizeof tags / sizeof *tags);
    elf_free(&e);
    if (file != MAP_FAILED) munmap(file, len);
  }
  close(fd);
}

static _Noreturn void run_plain(const Link *l) {
  l->argv[0] = (char *)l->linker;
  run_instead(l->argv);
  fprintf(stderr, "specialize-cc: error: cannot run the linker %s: %s\n", l->linker, strerror(errno));
  exit(4);
}

// The user's own map or trace goes to standard output: then the traced link is a second one, into nowhere.
static bool prints(const LdArgs *a) {
  for (vec_each(i, a)) {
    const LdArg *x = &a->at[i];
    if (x->kind != LD_SIDE_OUTPUT) continue;
    if (!x->value || !strcmp(x->value, "-") || !strncmp(x->value, "/dev/", 5)) return true;
  }
  return false;
}

static void traced_arguments(const Link *l, const char *elsewhere, Args *out) {
  args_add(out, l->linker);
  if (!elsewhere) {
    args_all(out, l->argv + 1);
  } else {
    for (vec_each(i, &l->args)) {
      const LdArg *a = &l->args.at[i];
      if (a->kind != LD_SIDE_OUTPUT && a->kind != LD_OUTPUT) ld_arg_add(a, out);
    }
    args_add(out, "-o");
    args_add(out, elsewhere);
  }
  args_add(out, "-t");
  args_add(out, "-t");
}

static int traced(Link *l, const char *elsewhere) {
  Args a = {0};
  Bytes text = {0}, rest = {0};
  Strings known = {0};
  traced_arguments(l, elsewhere, &a);
  int status = run_collect(args_done(&a), &text);
  if (status < 0) run_plain(l);
  for (vec_each(i, &l->args))
    if (l->args.at[i].kind == LD_INPUT) vec_push(&known, l->args.at[i].value);
  trace_read(span_of(text.at, text.len), &known, &l->trace, &rest);
  if (!elsewhere) file_write_fd(1, rest.at, rest.len);
  args_free(&a);
  vec_free(&known), vec_free(&text), vec_free(&rest);
  return status;
}

static int link_twice(Link *l) {
  l->argv[0] = (char *)l->linker;
  int status = run_wait(l->argv, -1);
  char *dir = status == 0 ? file_temp_dir() : NULL;
  if (dir) {
    char *out = file_join(dir, "out");
    traced(l, out);
    file_remove_tree(dir);
    mem_free(out);
  }
  mem_free(dir);
  return status;
}

static void describe(const Link *l, Bytes *out) {
  char *directory = getcwd(NULL, 0);
  fields_put(out, "directory", directory ? directory : "/");
  fields_put(out, "linker", l->linker);
  fields_put(out, "output", l->output);
  for (vec_each(i, &l->expanded)) fields_put(out, "arg", l->expanded.at[i]);
  for (vec_each(i, &l->trace)) {
    fields_put(out, "took", l->trace.at[i].path);
    if (l->trace.at[i].member) fields_put(out, "member", l->trace.at[i].member);
  }
  free(directory);
}

// The other half needs LLVM, so it is a process of its own; if it crashes, the program is linked all the
// same.
static void capture(const Link *l) {
  Bytes text = {0};
  Args a = {0};
  char *dir = self_dir();
  describe(l, &text);
  int fd = memfd_create("specialize-link", 0);
  int err = fd < 0 ? errno : file_write_fd(fd, text.at, text.len);
  if (!err && lseek(fd, 0, SEEK_SET)) err = errno;
  args_addf(&a, "%s/specialize", dir);
  args_add(&a, "capture-link");
  args_addf(&a, "%d", fd);
  int status = err ? (errno = err, -1) : run_wait(args_done(&a), 2);
  if (status)
    fprintf(stderr,
            "specialize-cc: warning: %s: the program is linked, but its bitcode was not captured: %s\n",
            l->output,
            status < 0            ? strerror(errno)
            : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                  : "see above");
  if (fd >= 0) close(fd);
  mem_free(dir);
  args_free(&a);
  vec_free(&text);
}

static bool same_machine(const Link *l) {
  for (vec_each(i, &l->args))
    if (!strcmp(l->args.at[i].before, "-m") && l->args.at[i].value)
      return !strcmp(l->args.at[i].value, "elf_x86_64");
  return true;
}

int link_main(char **argv) {
  Link l = {.argv = argv, .linker = getenv("SPECIALIZE_LD_REAL")};
  if (!l.linker || !*l.linker) {
    fprintf(stderr, "specialize-cc: error: this is not a stand-alone linker; call specialize-cc\n");
    return 2;
  }
  expand_responses(argv + 1, &l.expanded);
  ld_args_read(&l.expanded, &l.args);
  l.output = ld_value(&l.args, LD_OUTPUT);
  if (!l.output) l.output = "a.out";
  for (vec_each(i, &l.args))
    if (l.args.at[i].kind == LD_INPUT) retag_object(l.args.at[i].value);
  struct stat st;
  bool regular = lstat(l.output, &st) || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
  if (ld_has(&l.args, LD_QUERY) || !regular) run_plain(&l);
  if (ld_has(&l.args, LD_RELOCATABLE)) {
    argv[0] = (char *)l.linker;
    int joined = run_wait(argv, -1);
    retag_object(l.output);
    end_like(joined);
  }
  int status = prints(&l.args) ? link_twice(&l) : traced(&l, NULL);
  if (status == 0 && !same_machine(&l))
    fprintf(stderr, "specialize-cc: warning: %s: not captured: only x86-64 programs are supported\n",
            l.output);
  else if (status == 0)
    capture(&l);
  end_like(status);
}
