// Lists are kept on a stack of our own; term_apply bounds how deep they nest, for those who recurse over
// terms.
#include "term.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "text.h"

// What stands in a list. Names and literals become terms when it is clear that they are operands.
typedef enum { ITEM_TERM, ITEM_NAME, ITEM_STRING, ITEM_INT } ItemKind;
typedef struct {
  ItemKind kind;
  unsigned column;
  Term term;
  int64_t value;
  const char *text;
} Item;
typedef struct {
  TermOp op;
  unsigned column;  // of the operator
  size_t first;     // of its items
} List;

typedef struct {
  Terms *ts;
  Text text;
  Arena *arena;
  Vec(Item) items;
  Vec(List) lists;
  Vec(Term) operands;
  Diags *diags;
  Place first;
} Parser;

__attribute__((format(printf, 3, 4))) static bool fail(Parser *p, unsigned column, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  Place where = p->first;
  where.column = (p->first.column ? p->first.column - 1 : 0) + column;
  diag(p->diags, DIAG_ERROR, where, "%s", text);
  mem_free(text);
  return false;
}

static bool is_operator(const Word *w, TermOp *op) {
  for (int i = 0; i < TERM_OPS; ++i)
    if (*term_op_word((TermOp)i) && word_is(w, term_op_word((TermOp)i))) return *op = (TermOp)i, true;
  return false;
}

static bool digits(const char **s) {
  const char *from = *s;
  while (**s >= '0' && **s <= '9') ++*s;
  return *s > from;
}

static bool is_real(const char *s) {
  if (*s == '-') ++s;
  if (!digits(&s)) return false;
  bool point = *s == '.';
  if (point && (++s, !digits(&s))) return false;
  if (*s != 'e' && *s != 'E') return point && !*s;
  ++s;
  if (*s == '+' || *s == '-') ++s;
  return digits(&s) && !*s;
}

// Decimal, or the 64 bits in hexadecimal.
static bool is_int(const Word *w, int64_t *value) {
  bool minus = w->at[0] == '-', hex = w->at[0] == '0' && w->at[1] == 'x';
  uint64_t n;
  if (hex) {
    if (w->len < 3 || w->len > 18 || strspn(w->at + 2, "0123456789abcdefABCDEF") != w->len - 2) return false;
    n = strtoull(w->at + 2, NULL, 16);
  } else {
    Word rest = {.at = w->at + minus, .len = w->len - minus};
    if (!word_number(&rest, (uint64_t)INT64_MAX + minus, &n)) return false;
  }
  memcpy(value, &(uint64_t){minus ? -n : n}, sizeof *value);
  return true;
}

static bool number(Parser *p, const Word *w) {
  Item item = {.kind = ITEM_INT, .column = w->column};
  if (!is_int(w, &item.value)) {
    double d = is_real(w->at) ? strtod(w->at, NULL) : HUGE_VAL;
    if (!isfinite(d)) return fail(p, w->column, "%s is not a number that fits", w->at);
    item.kind = ITEM_TERM;
    item.term = term_real(p->ts, d);
  }
  vec_push(&p->items, item);
  return true;
}

static bool operand(Parser *p, const Word *w) {
  const char *digit = w->at + (w->at[0] == '-');
  if (!w->quoted && *digit >= '0' && *digit <= '9') return number(p, w);
  Item item = {.kind = w->quoted ? ITEM_STRING : ITEM_NAME, .column = w->column};
  if (w->quoted && memchr(w->at, 0, w->len)) return fail(p, w->column, "a NUL in a string");
  if (word_is(w, "argc") || word_is(w, "true") || word_is(w, "false")) {
    item.kind = ITEM_TERM;
    item.term = w->at[0] == 'a' ? term_argc(p->ts) : term_bool(p->ts, w->at[0] == 't');
  } else {
    item.text = arena_string(p->arena, w->at, w->len);
  }
  vec_push(&p->items, item);
  return true;
}

static bool as_term(Parser *p, const Item *item, Term *t) {
  if (item->kind == ITEM_NAME)
    return fail(p, item->column, "unknown word %s; a variable is written (var %s)", item->text, item->text);
  *t = item->kind == ITEM_INT      ? term_int(p->ts, item->value)
       : item->kind == ITEM_STRING ? term_string(p->ts, item->text)
                                   : item->term;
  return true;
}

static bool access_of(const Item *item, TermAccess *access) {
  if (item->kind == ITEM_NAME)
    for (int i = TERM_AS_DECLARED + 1; i < TERM_ACCESSES; ++i)
      if (!strcmp(item->text, term_access_word((TermAccess)i))) return *access = (TermAccess)i, true;
  return false;
}

static bool argv(Parser *p, const List *l, const Item *items, size_t n, Term *out) {
  if (n != 1 || items->kind != ITEM_INT || items->value < 0 || items->value > INT32_MAX)
    return fail(p, l->column, "argv takes one literal number, for example (argv 1)");
  *out = term_argv(p->ts, (uint32_t)items->value);
  return true;
}

static bool env(Parser *p, const List *l, const Item *items, size_t n, Term *out) {
  bool system = l->op == TERM_SYSCONF;
  if (n != 1 || items->kind != ITEM_STRING)
    return fail(p, l->column, "%s takes one literal string, for example (%s)", term_op_word(l->op),
                system ? "sysconf \"_SC_NPROCESSORS_ONLN\"" : "env \"HOME\"");
  *out = system ? term_sysconf(p->ts, items->text) : term_env(p->ts, items->text);
  return *out != TERM_NONE || fail(p, items->column, "%s is not a supported sysconf name", items->text);
}

static bool var(Parser *p, const List *l, const Item *items, size_t n, Term *out) {
  TermAccess access = TERM_AS_DECLARED;
  size_t most = l->op == TERM_VAR ? 2 : 1;
  if (!n || n > most || (items->kind != ITEM_NAME && items->kind != ITEM_STRING) || !*items->text)
    return fail(p, l->column, "%s takes a name%s", term_op_word(l->op),
                most > 1 ? " and the type to read it as" : "");
  if (n == 2 && !access_of(&items[1], &access))
    return fail(p, items[1].column,
                "not a type to read a variable as; use int8 to uint64, float, double or string");
  *out = l->op == TERM_VAR ? term_var(p->ts, items->text, access) : term_addr(p->ts, items->text);
  return true;
}

static bool mem(Parser *p, const List *l, const Item *items, size_t n, Term *out) {
  TermAccess access;
  Term address = TERM_NONE;
  TermError error = {0};
  if (n != 2 || !access_of(items, &access))
    return fail(p, l->column, "mem takes a type and an address, for example (mem int32 (addr x))");
  if (!as_term(p, &items[1], &address)) return false;
  *out = term_mem(p->ts, access, address, &error);
  if (*out == TERM_NONE) fail(p, items[error.operand ? 0 : 1].column, "%s", error.text);
  mem_free(error.text);
  return *out != TERM_NONE;
}

static bool apply(Parser *p, const List *l, const Item *items, size_t n, Term *out) {
  TermError error = {0};
  p->operands.len = 0;
  for (size_t i = 0; i < n; ++i) {
    Term t = TERM_NONE;
    if (!as_term(p, &items[i], &t)) return false;
    vec_push(&p->operands, t);
  }
  *out = term_apply(p->ts, l->op, p->operands.at, n, &error);
  if (*out == TERM_NONE)
    fail(p, error.operand < n ? items[error.operand].column : l->column, "%s", error.text);
  mem_free(error.text);
  return *out != TERM_NONE;
}

static bool close_list(Parser *p, const Word *w) {
  if (!p->lists.len) return fail(p, w->column, ") without a matching (");
  List l = vec_pop(&p->lists);
  assert(l.first <= p->items.len);
  const Item *items = p->items.at + l.first;
  size_t n = p->items.len - l.first;
  Item made = {.kind = ITEM_TERM, .column = l.column - 1};
  bool ok;
  switch (l.op) {
    case TERM_ARGV:
      ok = argv(p, &l, items, n, &made.term);
      break;
    case TERM_ENV:
    case TERM_SYSCONF:
      ok = env(p, &l, items, n, &made.term);
      break;
    case TERM_VAR:
    case TERM_ADDR:
      ok = var(p, &l, items, n, &made.term);
      break;
    case TERM_MEM:
      ok = mem(p, &l, items, n, &made.term);
      break;
    default:
      ok = apply(p, &l, items, n, &made.term);
  }
  p->items.len = l.first;
  if (ok) vec_push(&p->items, made);
  return ok;
}

static bool open_list(Parser *p, const Word *paren) {
  List l = {.column = paren->column + 1, .first = p->items.len};
  if (p->lists.len >= LIMIT_TERM_DEPTH)
    return fail(p, paren->column, "operations are nested deeper than %d", LIMIT_TERM_DEPTH);
  Word w;
  TextResult r = text_next(&p->text, &w);
  if (r == TEXT_ERROR) return fail(p, p->text.column, "%s", p->text.error);
  if (r == TEXT_END) return fail(p, paren->column, "( without a matching )");
  l.column = w.column;
  if (!is_operator(&w, &l.op) || l.op == TERM_TRUE || l.op == TERM_FALSE || l.op == TERM_ARGC)
    return fail(p, w.column, "%s is not an operation", w.at);
  vec_push(&p->lists, l);
  return true;
}

static bool parse(Parser *p) {
  Word w;
  TextResult r;
  while ((r = text_next(&p->text, &w)) == TEXT_WORD) {
    if (!p->lists.len && p->items.len)
      return fail(p, w.column, "unexpected %s after the end of the term", w.at);
    bool ok = word_is(&w, "(") ? open_list(p, &w) : word_is(&w, ")") ? close_list(p, &w) : operand(p, &w);
    if (!ok) return false;
  }
  if (r == TEXT_ERROR) return fail(p, p->text.column, "%s", p->text.error);
  if (p->lists.len)
    return fail(p, w.column, "the term ends without the ) of %s", term_op_word(vec_last(&p->lists).op));
  if (!p->items.len) return fail(p, w.column, "no term");
  return true;
}

static Term finish(Parser *p) {
  Term t = TERM_NONE;
  assert(p->items.len == 1 && !p->lists.len);
  if (!as_term(p, p->items.at, &t)) return TERM_NONE;
  TermType type = term_at(p->ts, t).type;
  if (type == TERM_IS_BOOL) return t;
  fail(p, p->items.at->column, "a constraint must be Bool, not %s", term_type_word(type));
  return TERM_NONE;
}

Term term_parse(Terms *ts, Span text, Diags *diags, Place first) {
  Parser p = {.ts = ts, .diags = diags, .first = first, .arena = arena_new(), .text.parens = true};
  size_t bad = text_bad(text);
  vec_reserve(&p.items, 1);
  text_start(&p.text, text);
  Term t = TERM_NONE;
  if (bad < text.len)
    fail(&p, (unsigned)bad + 1, "this byte is not allowed in text; write \\x%02x", text.at[bad]);
  else if (parse(&p))
    t = finish(&p);
  text_free(&p.text);
  arena_free(p.arena);
  vec_free(&p.items);
  vec_free(&p.lists);
  vec_free(&p.operands);
  return t;
}
