#include "trace.h"
#include <stdio.h>
#include <sys/stat.h>
#include "core/core.h"

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

// Either form: `open` and `close` are where the archive's or the member's parentheses may be, tried from the
// outside, because names may hold parentheses themselves. What exists as a file decides.
static bool gnu_member(const char *line, Traced *t) {
  if (line[0] != '(') return false;
  for (const char *close = strrchr(line, ')'); close; close = memrchr(line, ')', (size_t)(close - line))) {
    char *path = mem_format("%.*s", (int)(close - line - 1), line + 1);
    if (close[1] && is_file(path)) return *t = (Traced){path, mem_string(close + 1)}, true;
    mem_free(path);
  }
  return false;
}

static bool other_member(const char *line, Traced *t) {
  size_t len = strlen(line);
  if (!len || line[len - 1] != ')') return false;
  for (const char *open = strrchr(line, '('); open; open = memrchr(line, '(', (size_t)(open - line))) {
    char *path = mem_format("%.*s", (int)(open - line), line);
    if (is_file(path)) {
      *t = (Traced){path, mem_format("%.*s", (int)(line + len - open - 2), open + 1)};
      return true;
    }
    mem_free(path);
  }
  return false;
}

// The linker's plugin compiles LTO objects into files that are gone by now.
static bool is_gone_temporary(const char *line) {
  const char *dot = strrchr(line, '.');
  return line[0] == '/' && dot && (!strcmp(dot, ".o") || strstr(line, ".ltrans")) && !strchr(line, ' ');
}

static bool read_line(const char *line, Traced *t) {
  if (is_file(line)) return *t = (Traced){mem_string(line), NULL}, true;
  return gnu_member(line, t) || other_member(line, t);
}

static void keep(Trace *out, Intern *seen, Traced t) {
  uint32_t before = intern_count(seen);
  if (!t.member) intern_id(seen, t.path, strlen(t.path));
  if (t.member || intern_count(seen) > before)
    vec_push(out, t);
  else
    mem_free(t.path);
}

static void take_known(Bytes *text, const Strings *known, Trace *out, Intern *seen) {
  for (vec_each(i, known)) {
    if (!strchr(known->at[i], '\n')) continue;
    char *lines = mem_format("\n%s\n", known->at[i]);
    size_t len = strlen(lines) - 1;
    for (unsigned char *at; (at = memmem(text->at, text->len, lines, len + 1)); text->len -= len) {
      keep(out, seen, (Traced){mem_string(known->at[i]), NULL});
      memmove(at, at + len, text->len - (size_t)(at + len - text->at));
    }
    mem_free(lines);
  }
}

void trace_read(Span span, const Strings *known, Trace *out, Bytes *rest) {
  Bytes text = {0};
  Intern *seen = intern_new();
  vec_push(&text, '\n');
  vec_append(&text, span.at, span.len);
  take_known(&text, known, out, seen);
  for (size_t at = 0, end; at < text.len; at = end + 1) {
    unsigned char *newline = memchr(text.at + at, '\n', text.len - at);
    end = newline ? (size_t)(newline - text.at) : text.len;
    char *line = mem_format("%.*s", (int)(end - at), (char *)text.at + at);
    Traced t;
    if (read_line(line, &t))
      keep(out, seen, t);
    else if (*line && !is_gone_temporary(line))
      vec_append(rest, text.at + at, end + (newline != NULL) - at);
    mem_free(line);
  }
  intern_free(seen);
  vec_free(&text);
}

void trace_free(Trace *t) {
  for (vec_each(i, t)) mem_free(t->at[i].path), mem_free(t->at[i].member);
  vec_free(t);
}
