#include "link.h"
#include <errno.h>
#include <fcntl.h>
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
    diag_error(j->diags,
               "clang finds no %s, the linker that linked the program; is it installed, and is PATH set?",
               j->r->linker);
  mem_free(refused);
  if (!linker) return false;
  vec_push(out, linker);
  linker_words(arguments, out);
  vec_push(out, mem_string("-o"));
  vec_push(out, mem_string(j->result));
  vec_push(out, NULL);
  return true;
}

// Line by line: names of the program are in it.
static void show_said(const Bytes *said) {
  for (size_t i = 0, from = 0; i < said->len; ++i) {
    if (said->at[i] != '\n' && i + 1 < said->len) continue;
    Bytes line = {0};
    put_shown_span(&line, span_of(said->at + from, i + (said->at[i] != '\n') - from));
    fprintf(stderr, "%.*s\n", (int)line.len, (const char *)line.at);
    vec_free(&line);
    from = i + 1;
  }
}

// It reads nothing but files. What it says is shown if it fails: its warnings were shown when the program was
// linked first.
static int start_linker(char **argv, int said, pid_t *pid) {
  posix_spawn_file_actions_t files;
  int err = posix_spawn_file_actions_init(&files);
  if (err) return err;
  err = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  for (int fd = 1; fd <= 2 && !err; ++fd) err = posix_spawn_file_actions_adddup2(&files, said, fd);
  if (!err) err = posix_spawn(pid, argv[0], &files, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  return err;
}

static bool run_linker(const Job *j, char **argv) {
  pid_t pid;
  Bytes said = {0};
  int ends[2], status = 0, err = pipe2(ends, O_CLOEXEC) ? errno : 0;
  if (!err) {
    err = start_linker(argv, ends[1], &pid);
    close(ends[1]);
    if (!err) file_read_fd(ends[0], &said);
    close(ends[0]);
    while (!err && waitpid(pid, &status, 0) < 0)
      if (errno != EINTR) err = errno;
  }
  if (err || status) show_said(&said);
  vec_free(&said);
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
