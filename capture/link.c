#include "link.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/core.h"

extern char **environ;

typedef struct {
  const Recipe *r;
  const char *dir;  // scratch
  char *module, *result;
  Diags *diags;
} Job;

static bool write_inputs(const Job *j, Span object, Strings *stored) {
  int err = file_write(j->module, object.at, object.len, 0);
  for (size_t i = 0; !err && i < j->r->files.len; ++i) {
    const StoredFile *f = &j->r->files.at[i];
    vec_push(stored, mem_format("%s/%zu-%s", j->dir, i, file_base(f->name)));
    err = file_write(vec_last(stored), f->data.at, f->data.len, 0);
  }
  if (err) diag_error(j->diags, "%s: %s", j->dir, strerror(err));
  return !err;
}

static void arguments(const Job *j, const Strings *stored, const Strings *more, Strings *out) {
  for (vec_each(i, &j->r->args)) {
    const LinkArg *a = &j->r->args.at[i];
    if (a->kind == LINK_TEXT)
      vec_push(out, mem_string(a->text));
    else if (a->kind == LINK_PATH)
      vec_push(out, mem_format("%s%s", a->text, a->path));
    else if (a->kind == LINK_STORED)
      vec_push(out, mem_format("%s%s", a->text, stored->at[a->file]));
    else
      vec_push(out, mem_string(j->module));
    for (size_t k = 0; a->kind == LINK_MODULE && more && k < more->len; ++k)
      vec_push(out, mem_string(more->at[k]));
  }
}

// The linker in front, the output behind; between them only what may be there, whoever wrote the recipe.
static bool command(const Job *j, const Strings *arguments, Strings *out) {
  char *refused = linker_refuses(arguments), *linker = refused ? NULL : linker_find(j->r->linker);
  if (refused)
    diag_error(j->diags, "the stored link is refused: %s", refused);
  else if (!linker)
    diag_error(j->diags, "the linker %s, which linked the program, is not installed", j->r->linker);
  mem_free(refused);
  if (!linker) return false;
  vec_push(out, linker);
  for (vec_each(i, arguments)) vec_push(out, mem_string(arguments->at[i]));
  vec_push(out, mem_string("-o"));
  vec_push(out, mem_string(j->result));
  vec_push(out, NULL);
  return true;
}

static bool run_linker(const Job *j, char **argv) {
  pid_t pid;
  int status = 0, err = posix_spawn(&pid, argv[0], NULL, NULL, argv, environ);
  while (!err && waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) err = errno;
  if (err)
    diag_error(j->diags, "cannot run the linker %s: %s", argv[0], strerror(err));
  else if (status)
    diag_error(j->diags, "relinking failed: %s exited with status %d", argv[0],
               WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return !err && !status;
}

bool link_place(const char *made, const char *output, Diags *diags) {
  Bytes b = {0};
  int err = file_read(made, &b);
  if (!err) {
    struct stat st;
    unsigned mode = stat(made, &st) == 0 ? st.st_mode & 0777 : 0755;
    err = file_write(output, b.at, b.len, mode);
  }
  vec_free(&b);
  if (err) diag_error(diags, "%s: %s", output, strerror(err));
  return !err;
}

bool link_again(const Recipe *r, Span object, const Strings *more, const char *output, Diags *diags) {
  char *dir = file_temp_dir();
  if (!dir) {
    diag_error(diags, "no temporary directory: %s", strerror(errno));
    return false;
  }
  Job j = {r, dir, file_join(dir, "module.o"), file_join(dir, "result"), diags};
  Strings stored = {0}, given = {0}, argv = {0};
  bool ok = write_inputs(&j, object, &stored);
  if (ok) arguments(&j, &stored, more, &given);
  ok = ok && command(&j, &given, &argv);
  if (ok) {
    ok = run_linker(&j, argv.at) && link_place(j.result, output, diags);
    vec_pop(&argv);  // NULL
  }
  strings_free(&stored), strings_free(&given), strings_free(&argv);
  file_remove_tree(dir);
  mem_free(j.module), mem_free(j.result), mem_free(dir);
  return ok;
}
