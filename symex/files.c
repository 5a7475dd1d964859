#include "files.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ir/ir.h"

enum { MOST_FILES = 1 << 16, LARGEST = 1 << 30 };

static uint32_t add_file(Files *f, FileKind kind, const char *path) {
  VirtualFile v = {.kind = (uint8_t)kind, .path = path ? mem_string(path) : NULL};
  vec_push(&f->files, v);
  return (uint32_t)f->files.len - 1;
}

static int64_t add_descriptor(Files *f, uint32_t opened) {
  uint32_t fd = 0;
  while (fd < f->descriptors.len && f->descriptors.at[fd]) ++fd;
  if (fd == MOST_FILES) return -EMFILE;
  if (fd == f->descriptors.len) vec_push(&f->descriptors, 0);
  f->descriptors.at[fd] = opened + 1;
  ++f->opened.at[opened].users;
  return fd;
}

static int64_t open_file(Files *f, uint32_t file, bool reads, bool writes, bool appends) {
  OpenFile o = {file, 0, 0, reads, writes, appends};
  vec_push(&f->opened, o);
  return add_descriptor(f, (uint32_t)f->opened.len - 1);
}

void files_init(Files *f, const Sigma *s, const Schedule *c, Bytes *out, Bytes *err) {
  *f = (Files){.sigma = s, .schedule = c, .out = out, .err = err};
  open_file(f, add_file(f, FILE_INPUT, NULL), true, false, false);
  open_file(f, add_file(f, FILE_OUTPUT, NULL), false, true, true);
  open_file(f, add_file(f, FILE_ERRORS, NULL), false, true, true);
}

void files_free(Files *f) {
  for (vec_each(i, &f->files)) mem_free(f->files.at[i].path), vec_free(&f->files.at[i].bytes);
  vec_free(&f->files), vec_free(&f->opened), vec_free(&f->descriptors);
}

static OpenFile *opened_at(Files *f, int fd) {
  if (fd < 0 || (size_t)fd >= f->descriptors.len || !f->descriptors.at[fd]) return NULL;
  return &f->opened.at[f->descriptors.at[fd] - 1];
}

static int64_t unknown(Files *f, const char *why) {
  f->why = why;
  return FILES_UNKNOWN;
}

// As when it was recorded: the stored copy, or the file itself if it still is what its hash says.
static int64_t contents(Files *f, const SigmaInput *in, const char *path, Bytes *out) {
  if (in->lost) return unknown(f, "an input that the recording has lost");
  if (in->hash == SIGMA_NONE) {
    vec_append(out, in->copy.at, in->copy.len);
    return 0;
  }
  uint8_t hash[HASH_BYTES];
  if (!path || file_read(path, out)) return unknown(f, "an input that the recording has only as a hash");
  Span all = span_of(out->at, out->len);
  hash_bytes(&all, 1, hash);
  char *text = hash_text(hash);
  bool same = out->len == in->size && !strcmp(text, sigma_text(f->sigma, in->hash));
  mem_free(text);
  return same ? 0 : unknown(f, "an input file that has changed since the recording");
}

static bool ends_in(const char *path, const char *name) {
  size_t n = strlen(path), k = strlen(name);
  while (name[0] == '.' && name[1] == '/') name += 2, k -= 2;
  return n > k && !strcmp(path + n - k, name) && path[n - k - 1] == '/';
}

// Paths are whole in Σ, but where the program was run is not known: a name that is not whole may be the end
// of one.
static const SigmaInput *stored_input_at(const Files *f, const char *path) {
  for (vec_each(i, &f->schedule->inputs)) {
    const SigmaInput *in = &f->schedule->inputs.at[i];
    const char *name = sigma_text(f->sigma, in->name);
    if (strcmp(name, "stdin") != 0 && (!strcmp(name, path) || (*path != '/' && ends_in(name, path))))
      return in;
  }
  return NULL;
}

static uint32_t known_file(const Files *f, const char *path) {
  for (uint32_t i = 0; i < f->files.len; ++i)
    if (f->files.at[i].path && !f->files.at[i].removed && !strcmp(f->files.at[i].path, path)) return i;
  return UINT32_MAX;
}

// The file of a name, as the run sees it; UINT32_MAX with *error.
static uint32_t find_file(Files *f, const char *path, bool contents_matter, int64_t *error) {
  uint32_t file = known_file(f, path);
  for (vec_each(i, &f->files))
    if (f->files.at[i].removed && f->files.at[i].path && file == UINT32_MAX &&
        !strcmp(f->files.at[i].path, path))
      return *error = -ENOENT, UINT32_MAX;
  const SigmaInput *in = file == UINT32_MAX ? stored_input_at(f, path) : NULL;
  if (in) {
    Bytes all = {0};
    if (contents_matter && (*error = contents(f, in, sigma_text(f->sigma, in->name), &all)))
      return vec_free(&all), UINT32_MAX;
    file = add_file(f, FILE_REGULAR, path);
    f->files.at[file].bytes = all;
    return file;
  }
  if (file != UINT32_MAX) return file;
  bool there = access(path, F_OK) == 0;
  *error = there && contents_matter ? unknown(f, "a file that the recording does not have") : -ENOENT;
  return UINT32_MAX;
}

int64_t files_open(Files *f, const char *path, int flags) {
  int64_t error = 0;
  int how = flags & O_ACCMODE;
  if (!strcmp(path, "/dev/null")) return open_file(f, add_file(f, FILE_REGULAR, NULL), true, true, false);
  bool empties = flags & O_TRUNC && how != O_RDONLY;
  uint32_t file = find_file(f, path, !empties, &error);
  if (file == UINT32_MAX && (error != -ENOENT || !(flags & O_CREAT))) return error;
  if (file != UINT32_MAX && flags & O_CREAT && flags & O_EXCL) return -EEXIST;
  if (file == UINT32_MAX) file = add_file(f, FILE_REGULAR, path);
  if (empties) f->files.at[file].bytes.len = 0;
  return open_file(f, file, how != O_WRONLY, how != O_RDONLY, flags & O_APPEND);
}

int64_t files_anonymous(Files *f) {
  return open_file(f, add_file(f, FILE_REGULAR, NULL), true, true, false);
}

int64_t files_pipe(Files *f, int fds[2]) {
  uint32_t file = add_file(f, FILE_PIPE, NULL);
  f->files.at[file].writers = 1;
  fds[0] = (int)open_file(f, file, true, false, false);
  fds[1] = (int)open_file(f, file, false, true, true);
  return fds[0] < 0 || fds[1] < 0 ? -EMFILE : 0;
}

int64_t files_close(Files *f, int fd) {
  OpenFile *o = opened_at(f, fd);
  if (!o) return -EBADF;
  f->descriptors.at[fd] = 0;
  if (!--o->users && o->writes && f->files.at[o->file].kind == FILE_PIPE) --f->files.at[o->file].writers;
  return 0;
}

int64_t files_dup(Files *f, int fd, int to) {
  OpenFile *o = opened_at(f, fd);
  if (!o || to >= MOST_FILES) return -EBADF;
  uint32_t opened = f->descriptors.at[fd] - 1;
  if (to < 0) return add_descriptor(f, opened);
  if (to == fd) return to;
  if (opened_at(f, to)) files_close(f, to);
  while (f->descriptors.len <= (size_t)to) vec_push(&f->descriptors, 0);
  f->descriptors.at[to] = opened + 1;
  ++f->opened.at[opened].users;
  return to;
}

// Standard input is asked for when it is first read: a run that does not read it needs none.
static int64_t have_stdin(Files *f, VirtualFile *v) {
  if (v->removed) return 0;
  for (vec_each(i, &f->schedule->inputs)) {
    const SigmaInput *in = &f->schedule->inputs.at[i];
    if (strcmp(sigma_text(f->sigma, in->name), "stdin") != 0) continue;
    int64_t error = contents(f, in, NULL, &v->bytes);
    if (!error) v->removed = true;  // it is there now
    return error;
  }
  return unknown(f, "standard input, which the recording does not have");
}

int64_t files_read(Files *f, int fd, int64_t at, unsigned char *to, uint64_t size) {
  OpenFile *o = opened_at(f, fd);
  if (!o || !o->reads) return -EBADF;
  VirtualFile *v = &f->files.at[o->file];
  int64_t error = v->kind == FILE_INPUT ? have_stdin(f, v) : 0;
  if (error) return error;
  if (at >= 0 && v->kind == FILE_PIPE) return -ESPIPE;
  uint64_t from = at < 0 ? o->at : (uint64_t)at, has = v->bytes.len > from ? v->bytes.len - from : 0;
  if (v->kind == FILE_PIPE && !has && v->writers) return FILES_WAIT;
  uint64_t n = size < has ? size : has;
  if (n) memcpy(to, v->bytes.at + from, n);
  if (at < 0) o->at += n;
  return (int64_t)n;
}

int64_t files_write(Files *f, int fd, int64_t at, const unsigned char *from, uint64_t size) {
  OpenFile *o = opened_at(f, fd);
  if (!o || !o->writes) return -EBADF;
  VirtualFile *v = &f->files.at[o->file];
  if (v->kind == FILE_OUTPUT || v->kind == FILE_ERRORS) {
    Bytes *out = v->kind == FILE_OUTPUT ? f->out : f->err;
    vec_append(out, from, size);
    return (int64_t)size;
  }
  uint64_t to = at >= 0 ? (uint64_t)at : o->appends ? v->bytes.len : o->at;
  if (size > LARGEST || to > LARGEST) return -EFBIG;
  while (v->bytes.len < to + size) {
    vec_reserve(&v->bytes, to + size - v->bytes.len);
    memset(v->bytes.at + v->bytes.len, 0, to + size - v->bytes.len);
    v->bytes.len = to + size;
  }
  if (size) memcpy(v->bytes.at + to, from, size);
  if (at < 0) o->at = to + size;
  return (int64_t)size;
}

int64_t files_seek(Files *f, int fd, int64_t by, int whence) {
  OpenFile *o = opened_at(f, fd);
  if (!o) return -EBADF;
  VirtualFile *v = &f->files.at[o->file];
  if (v->kind != FILE_REGULAR && v->kind != FILE_INPUT) return -ESPIPE;
  int64_t error = v->kind == FILE_INPUT ? have_stdin(f, v) : 0;
  if (error) return error;
  int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)o->at : (int64_t)v->bytes.len, to;
  if (__builtin_add_overflow(base, by, &to) || to < 0) return -EINVAL;
  o->at = (uint64_t)to;
  return to;
}

int64_t files_truncate(Files *f, int fd, uint64_t size) {
  OpenFile *o = opened_at(f, fd);
  if (!o || !o->writes || size > LARGEST) return -EINVAL;
  VirtualFile *v = &f->files.at[o->file];
  if (v->kind != FILE_REGULAR) return -EINVAL;
  if (size > v->bytes.len) {
    vec_reserve(&v->bytes, size - v->bytes.len);
    memset(v->bytes.at + v->bytes.len, 0, size - v->bytes.len);
  }
  v->bytes.len = size;
  return 0;
}

int64_t files_remove(Files *f, const char *path) {
  int64_t error = 0;
  uint32_t file = find_file(f, path, false, &error);
  if (file == UINT32_MAX)
    return access(path, F_OK) == 0 ? unknown(f, "a file that the recording does not have") : error;
  f->files.at[file].removed = true;
  return 0;
}

int64_t files_rename(Files *f, const char *from, const char *to) {
  int64_t error = 0;
  uint32_t file = find_file(f, from, true, &error), old = known_file(f, to);
  if (file == UINT32_MAX) return error;
  if (old != UINT32_MAX) f->files.at[old].removed = true;
  mem_free(f->files.at[file].path);
  f->files.at[file].path = mem_string(to);
  return 0;
}

int64_t files_stat(Files *f, const char *path, int fd, uint64_t *size, int *kind) {
  int64_t error = 0;
  OpenFile *o = path ? NULL : opened_at(f, fd);
  uint32_t file = path ? find_file(f, path, true, &error) : o ? o->file : UINT32_MAX;
  if (file == UINT32_MAX) return path ? error : -EBADF;
  *size = f->files.at[file].bytes.len;
  *kind = f->files.at[file].kind;
  return 0;
}
