// A suppression is a pattern of frames that stand one above the other in a stack; * and ... are the only
// wildcards, and a pattern is the whole of a name, so that what it hides can be told from reading it.
#include "findings.h"
#include "triage.h"

typedef struct {
  Vec(char *) frames;  // innermost first; "..." is any number of them
} Stack;

typedef struct {
  enum { OF_RACE, OF_DEADLOCK, FROM_LIBRARY } kind;
  Stack a, b;  // b has no frames if one of the accesses is enough
  uint32_t line;
  size_t used;
} Suppression;

struct Suppressions {
  char *file;
  Vec(Suppression) all;
};

static const char *const kinds[] = {"race", "deadlock", "called_from_lib"};

static void stack_free(Stack *s) {
  for (vec_each(i, &s->frames)) mem_free(s->frames.at[i]);
  vec_free(&s->frames);
}

void suppressions_free(Suppressions *s) {
  if (!s) return;
  for (vec_each(i, &s->all)) {
    stack_free(&s->all.at[i].a);
    stack_free(&s->all.at[i].b);
  }
  vec_free(&s->all);
  mem_free(s->file);
  mem_free(s);
}

static Span trimmed(Span s) {
  while (s.len && (*s.at == ' ' || *s.at == '\t')) ++s.at, --s.len;
  while (s.len && strchr(" \t\r", s.at[s.len - 1]) && s.at[s.len - 1]) --s.len;
  return s;
}

// The length up to the first `mark` that no backslash stands before.
static size_t until(Span s, const char *mark) {
  size_t n = strlen(mark);
  for (size_t i = 0; i < s.len; ++i) {
    if (s.at[i] == '\\')
      ++i;
    else if (s.len - i >= n && !memcmp(s.at + i, mark, n))
      return i;
  }
  return s.len;
}

static Span after(Span s, size_t n) {
  return n < s.len ? span_of(s.at + n, s.len - n) : (Span){0};
}

static char *frame_text(Span s) {
  char *text = mem_alloc(s.len + 1);
  if (s.len) memcpy(text, s.at, s.len);
  return text;
}

static bool ends_open(Span s) {
  size_t n = 0;
  while (n < s.len && s.at[s.len - 1 - n] == '\\') ++n;
  return n % 2;
}

static const char *parse_stack(Span s, Stack *out) {
  bool more = true;
  for (; more; s = after(s, until(s, "^") + 1)) {
    size_t n = until(s, "^");
    Span frame = trimmed(span_of(s.at, n));
    if (!frame.len) return "the pattern has an empty frame";
    if (ends_open(frame)) return "nothing follows the backslash";
    if (out->frames.len == LIMIT_SUPPRESSION_FRAMES) return "the pattern has more than 64 frames";
    vec_push(&out->frames, frame_text(frame));
    more = n < s.len;
  }
  return NULL;
}

static const char *parse_line(Span line, Suppression *out) {
  size_t n = until(line, ":");
  int kind = 0;
  char *word = frame_text(span_of(line.at, n));
  bool known = n < line.len && WORD_IN(kinds, word, &kind);
  mem_free(word);
  if (!known) return "a suppression must begin with race:, deadlock: or called_from_lib:";
  out->kind = (unsigned)kind;
  Span pattern = after(line, n + 1);
  size_t both = until(pattern, " & ");
  const char *wrong = parse_stack(span_of(pattern.at, both), &out->a);
  if (wrong || both == pattern.len) return wrong;
  if (out->kind == FROM_LIBRARY) return "called_from_lib: takes one name";
  pattern = after(pattern, both + 3);
  return until(pattern, " & ") < pattern.len ? "a finding has two sides, not three"
                                             : parse_stack(pattern, &out->b);
}

static const char *odd_byte(Span line) {
  for (size_t i = 0; i < line.len; ++i)
    if (line.at[i] < ' ' && line.at[i] != '\t' && line.at[i] != '\r') return "a control character";
  return NULL;
}

Suppressions *suppressions_parse(const char *file, Span text, Diags *diags) {
  Suppressions *s = mem_alloc(sizeof *s);
  bool good = true;
  s->file = mem_string(file);
  for (uint32_t number = 1; text.len; ++number) {
    const unsigned char *end = memchr(text.at, '\n', text.len);
    Span line = trimmed(span_of(text.at, end ? (size_t)(end - text.at) : text.len));
    text = after(text, end ? (size_t)(end - text.at) + 1 : text.len);
    if (!line.len || *line.at == '#') continue;
    Suppression one = {.line = number};
    const char *wrong = odd_byte(line);
    if (!wrong) wrong = parse_line(line, &one);
    if (wrong) diag(diags, DIAG_ERROR, (Place){file, number, 0}, "%s", wrong), good = false;
    vec_push(&s->all, one);
  }
  if (good) return s;
  suppressions_free(s);
  return NULL;
}

// pattern is all of s[0..n); * is any text; a backslash takes the next character as it is.
static bool glob(const char *p, const char *s, size_t n) {
  const char *star = NULL, *end = s + n, *from = NULL;
  while (s < end) {
    const char *c = *p == '\\' && p[1] ? p + 1 : p;
    if (*p == '*') {
      star = ++p, from = s;
    } else if (*c && *c == *s) {
      p = c + 1, ++s;
    } else if (star) {
      p = star, s = ++from;
    } else {
      return false;
    }
  }
  while (*p == '*') ++p;
  return !*p;
}

// A path, or what follows any of its slashes.
static bool glob_path(const char *pattern, const char *path) {
  for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
    if (glob(pattern, at, strlen(at))) return true;
  return false;
}

// The name of a C++ function matches with and without its parameters.
static bool glob_name(const char *pattern, const char *name) {
  return glob(pattern, name, strlen(name)) || glob(pattern, name, strcspn(name, "("));
}

static bool is_frame(const char *pattern, const FindingFrame *f) {
  if (f->function && glob_name(pattern, f->function)) return true;
  if (f->library && glob_path(pattern, f->library)) return true;
  if (!f->file) return false;
  char *line = mem_format("%s:%u", f->file, (unsigned)f->line);
  bool is = glob_path(pattern, f->file) || glob_path(pattern, line);
  mem_free(line);
  return is;
}

// can[k]: the pattern's frames before k can end just before this frame of the stack.
static bool is_stack(const Stack *p, const FindingFrames *stack) {
  size_t n = p->frames.len;
  bool can[LIMIT_SUPPRESSION_FRAMES + 1] = {0};
  for (size_t i = 0; i <= stack->len; ++i) {
    can[0] = true;
    for (size_t k = 0; k < n; ++k)
      if (can[k] && !strcmp(p->frames.at[k], "...")) can[k + 1] = true;
    if (can[n]) return true;
    if (i == stack->len) break;
    for (size_t k = n; k--;) {
      bool any = !strcmp(p->frames.at[k], "...");
      bool reached = can[k] && !any && is_frame(p->frames.at[k], &stack->at[i]);
      can[k + 1] = reached || (any && can[k + 1]);
    }
  }
  return false;
}

static bool is_side(const Stack *p, const Finding *f, const FindingAccess *a) {
  FindingFrame at = a->at;
  FindingFrames only = {&at, 1, 1};
  if (is_stack(p, a->stack.len ? &a->stack : &only)) return true;
  return p->frames.len == 1 && f->object.name && glob_name(p->frames.at[0], f->object.name);
}

static bool is_from_library(const Stack *p, const FindingAccess *a) {
  for (size_t i = 1; i < a->stack.len; ++i) {
    const char *library = a->stack.at[i].library;
    if (library && glob_path(p->frames.at[0], library)) return true;
  }
  return false;
}

static bool applies(const Suppression *s, const Finding *f) {
  if (s->kind == FROM_LIBRARY) return is_from_library(&s->a, &f->a) || is_from_library(&s->a, &f->b);
  if (strcmp(kinds[s->kind], f->rule)) return false;
  if (!s->b.frames.len) return is_side(&s->a, f, &f->a) || is_side(&s->a, f, &f->b);
  return (is_side(&s->a, f, &f->a) && is_side(&s->b, f, &f->b)) ||
         (is_side(&s->a, f, &f->b) && is_side(&s->b, f, &f->a));
}

// Each one that applies counts as used, so that the order in the file does not matter.
void suppressions_apply(Suppressions *s, Report *r) {
  for (vec_each(i, &r->findings)) {
    Finding *f = &r->findings.at[i];
    for (vec_each(k, &s->all)) {
      if (!applies(&s->all.at[k], f)) continue;
      ++s->all.at[k].used;
      if (!f->suppressed) f->suppressed = report_print(r, "%s:%u", s->file, (unsigned)s->all.at[k].line);
    }
  }
}

void suppressions_unused(const Suppressions *s, Diags *diags) {
  for (vec_each(i, &s->all))
    if (!s->all.at[i].used)
      diag(diags, DIAG_WARNING, (Place){s->file, s->all.at[i].line, 0}, "this suppression matches nothing");
}
