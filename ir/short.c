// Demangled names are read by their brackets. What looks like brackets behind "operator" is its name.
#include <ctype.h>
#include "where.h"

typedef struct {
  const char *at;
  Bytes out;
} Name;

static bool starts(const char *s, const char *with) {
  return !strncmp(s, with, strlen(with));
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// Behind the bracket that closes the one at s; its end if none does.
static const char *behind(const char *s) {
  int depth = 0;
  for (; *s; ++s) {
    bool arrow = starts(s, "->") || starts(s, "=>");
    if (arrow) ++s;
    if (strchr("<([{", *s)) ++depth;
    if (!arrow && strchr(">)]}", *s) && !--depth) return s + 1;
  }
  return s;
}

static void copy(Name *n, const char *end) {
  vec_append(&n->out, (const unsigned char *)n->at, (size_t)(end - n->at));
  n->at = end;
}

// operator<<, operator(), operator new[]; false: it is none.
static bool take_operator(Name *n) {
  static const char word[] = "operator";
  bool begins = !n->out.len || !is_word((char)vec_last(&n->out));
  const char *s = n->at + sizeof word - 1;
  if (!begins || !starts(n->at, word) || is_word(*s)) return false;
  if (starts(s, "()")) s += 2;
  if (starts(s, " new") || starts(s, " delete")) s += strcspn(s, "[(<");
  s += starts(s, "[]") ? 2 : strspn(s, "<>=-+*/%&|^!~,");
  if (*s == ' ')
    while (*s && *s != '(' && *s != '<') ++s;  // of a conversion
  copy(n, s);
  return true;
}

static void take_one(Name *n) {
  static const char dots[] = "<\xe2\x80\xa6>", anonymous[] = "(anonymous namespace)";
  if (take_operator(n)) return;
  if (starts(n->at, anonymous)) {
    copy(n, n->at + sizeof anonymous - 1);
  } else if (*n->at == '<') {
    bytes_text(&n->out, dots);
    n->at = behind(n->at);
  } else if (*n->at == '{' || *n->at == '[') {
    copy(n, behind(n->at));
  } else if (*n->at == '(') {
    n->at = behind(n->at);
    if (starts(n->at, " const")) n->at += 6;
    n->at += strspn(n->at, " &");
  } else if (*n->at == ' ') {
    n->at++, n->out.len = 0;  // that was the result
  } else {
    copy(n, n->at + 1);
  }
}

char *where_short(const char *name) {
  Name n = {name, {0}};
  if (!strpbrk(name, "<(")) return mem_string(name);
  while (*n.at) take_one(&n);
  vec_push(&n.out, 0);
  char *made = mem_string(n.out.len > 1 ? (const char *)n.out.at : name);
  vec_free(&n.out);
  return made;
}
