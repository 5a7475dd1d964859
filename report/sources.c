// Files are read whole when the first line of one is asked for, and kept.
#include <sys/stat.h>
#include "formats.h"

typedef struct {
  Bytes text;
  Vec(size_t) starts;  // of each line
} Source;

struct Sources {
  char *directory;
  Intern *names;
  Vec(Source) files;  // by name
};

Sources *sources_new(const char *directory) {
  Sources *s = mem_alloc(sizeof *s);
  s->directory = mem_string(directory ? directory : "");
  s->names = intern_new();
  return s;
}

void sources_free(Sources *s) {
  if (!s) return;
  for (vec_each(i, &s->files)) {
    vec_free(&s->files.at[i].text);
    vec_free(&s->files.at[i].starts);
  }
  vec_free(&s->files);
  intern_free(s->names);
  mem_free(s->directory);
  mem_free(s);
}

// Debug information may name anything: what is no ordinary file is not read.
static bool readable(const char *path) {
  struct stat st;
  return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size <= LIMIT_SOURCE;
}

static Source read_source(const Sources *s, const char *file) {
  Source f = {0};
  char *path = *s->directory ? file_join(s->directory, file) : mem_string(file);
  if (!readable(path) || file_read(path, &f.text)) f.text.len = 0;
  for (size_t i = 0; i < f.text.len; ++i)
    if (!i || f.text.at[i - 1] == '\n') vec_push(&f.starts, i);
  mem_free(path);
  return f;
}

static const Source *source(Sources *s, const char *file) {
  uint32_t id = intern_id(s->names, file, strlen(file));
  if (id == s->files.len) vec_push(&s->files, read_source(s, file));
  return &s->files.at[id];
}

uint32_t sources_count(Sources *s, const char *file) {
  return (uint32_t)source(s, file)->starts.len;
}

Span sources_line(Sources *s, const char *file, uint32_t line) {
  const Source *f = source(s, file);
  if (!line || line > f->starts.len) return (Span){0};
  size_t from = f->starts.at[line - 1], to = line < f->starts.len ? f->starts.at[line] : f->text.len;
  if (to > from && f->text.at[to - 1] == '\n') --to;
  if (to > from && f->text.at[to - 1] == '\r') --to;
  return span_of(f->text.at + from, to - from);
}
