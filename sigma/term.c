#include "term.h"
#include <assert.h>
#include <math.h>
#include <unistd.h>

struct Terms {
  Vec(TermNode) nodes;
  Vec(Term) operands;
  Intern *texts;
};

static const struct {
  const char *word, *signature;
} ops[] = {
#define TERM(id, word, signature) {word, signature},
#include "term.def"
};

static const struct {
  const char *word;
  char letter;
} accesses[] = {
#define ACCESS(id, word, letter) {word, letter},
#include "term.def"
};

static const struct {
  const char *name;
  int number;
} sysconfs[] = {
#define SYSCONF(id) {"_SC_" #id, _SC_##id},
#include "term.def"
};

Terms *terms_new(void) {
  Terms *ts = mem_alloc(sizeof *ts);
  ts->texts = intern_new();
  return ts;
}

void terms_free(Terms *ts) {
  if (!ts) return;
  CHECKED(terms_check(ts));
  vec_free(&ts->nodes);
  vec_free(&ts->operands);
  intern_free(ts->texts);
  mem_free(ts);
}

size_t terms_count(const Terms *ts) {
  return ts->nodes.len;
}
TermNode term_at(const Terms *ts, Term t) {
  assert(t < ts->nodes.len);
  return ts->nodes.at[t];
}
Term term_operand(const Terms *ts, Term t, uint32_t i) {
  assert(i < term_at(ts, t).count);
  return ts->operands.at[ts->nodes.at[t].first + i];
}

static bool has_text(uint8_t op) {
  return op == TERM_STRING || op == TERM_ENV || op == TERM_SYSCONF || op == TERM_VAR || op == TERM_ADDR;
}

const char *term_text(const Terms *ts, Term t) {
  assert(has_text(term_at(ts, t).op));
  return intern_text(ts->texts, term_at(ts, t).as.text);
}

const char *term_op_word(TermOp op) {
  assert(op < TERM_OPS);
  return ops[op].word;
}
const char *term_access_word(TermAccess access) {
  assert(access < TERM_ACCESSES);
  return accesses[access].word;
}
const char *term_type_word(TermType type) {
  static const char *const words[] = {"Bool", "Int64", "Double", "String"};
  assert(type <= TERM_IS_STRING);
  return words[type];
}

bool term_sysconf_number(const char *name, int *number) {
  for (size_t i = 0; i < sizeof sysconfs / sizeof *sysconfs; ++i)
    if (!strcmp(sysconfs[i].name, name)) return *number = sysconfs[i].number, true;
  return false;
}

static bool same_value(const Terms *a, Term s, const Terms *b, Term t) {
  TermNode m = term_at(a, s), n = term_at(b, t);
  switch (m.op) {
    case TERM_INT:
    case TERM_ARGV:
      return m.as.i == n.as.i;
    case TERM_REAL:
      return m.as.d == n.as.d && !signbit(m.as.d) == !signbit(n.as.d);
    case TERM_STRING:
    case TERM_ENV:
    case TERM_SYSCONF:
    case TERM_VAR:
    case TERM_ADDR:
      return !strcmp(term_text(a, s), term_text(b, t));
    default:
      return true;
  }
}

bool term_same(const Terms *a, Term s, const Terms *b, Term t) {
  TermNode m = term_at(a, s), n = term_at(b, t);
  if (m.op != n.op || m.access != n.access || m.count != n.count || !same_value(a, s, b, t)) return false;
  for (uint32_t i = 0; i < m.count; ++i)
    if (!term_same(a, term_operand(a, s, i), b, term_operand(b, t, i))) return false;
  return true;
}

static TermType type_of(char letter) {
  return letter == 'b'   ? TERM_IS_BOOL
         : letter == 'i' ? TERM_IS_INT64
         : letter == 'd' ? TERM_IS_DOUBLE
                         : TERM_IS_STRING;
}

static Term leaf(Terms *ts, TermNode n) {
  assert(ts->nodes.len < TERM_NONE);
  n.depth = 1;
  vec_push(&ts->nodes, n);
  return (Term)ts->nodes.len - 1;
}

static Term named(Terms *ts, TermOp op, TermType type, TermAccess access, const char *name) {
  TermNode n = {.op = (uint8_t)op, .type = (uint8_t)type, .access = (uint8_t)access};
  n.as.text = intern_id(ts->texts, name, strlen(name));
  return leaf(ts, n);
}

Term term_bool(Terms *ts, bool b) {
  return leaf(ts, (TermNode){.op = b ? TERM_TRUE : TERM_FALSE, .type = TERM_IS_BOOL});
}
Term term_int(Terms *ts, int64_t i) {
  return leaf(ts, (TermNode){.op = TERM_INT, .type = TERM_IS_INT64, .as.i = i});
}
Term term_real(Terms *ts, double d) {
  assert(isfinite(d));
  return leaf(ts, (TermNode){.op = TERM_REAL, .type = TERM_IS_DOUBLE, .as.d = d});
}
Term term_string(Terms *ts, const char *s) {
  return named(ts, TERM_STRING, TERM_IS_STRING, 0, s);
}
Term term_argc(Terms *ts) {
  return leaf(ts, (TermNode){.op = TERM_ARGC, .type = TERM_IS_INT64});
}
Term term_argv(Terms *ts, uint32_t i) {
  return leaf(ts, (TermNode){.op = TERM_ARGV, .type = TERM_IS_STRING, .as.i = i});
}
Term term_env(Terms *ts, const char *name) {
  return named(ts, TERM_ENV, TERM_IS_STRING, 0, name);
}
Term term_sysconf(Terms *ts, const char *name) {
  int number;
  return term_sysconf_number(name, &number) ? named(ts, TERM_SYSCONF, TERM_IS_INT64, 0, name) : TERM_NONE;
}
Term term_var(Terms *ts, const char *name, TermAccess access) {
  assert(access < TERM_ACCESSES);
  return named(ts, TERM_VAR, type_of(accesses[access].letter), access, name);
}
Term term_addr(Terms *ts, const char *name) {
  return named(ts, TERM_ADDR, TERM_IS_INT64, 0, name);
}

__attribute__((format(printf, 3, 4))) static Term misfit(TermError *error, size_t operand, const char *fmt,
                                                         ...) {
  if (!error) return TERM_NONE;
  va_list args;
  va_start(args, fmt);
  *error = (TermError){mem_vformat(fmt, args), operand};
  va_end(args);
  return TERM_NONE;
}

static Term inner(Terms *ts, TermNode node, const Term *operands, size_t n, TermError *error) {
  for (size_t i = 0; i < n; ++i) {
    uint32_t depth = term_at(ts, operands[i]).depth;
    if (depth >= node.depth) node.depth = depth + 1;
  }
  if (node.depth > LIMIT_TERM_DEPTH)
    return misfit(error, n, "operations are nested deeper than %d", LIMIT_TERM_DEPTH);
  assert(ts->nodes.len < TERM_NONE && ts->operands.len + n <= UINT32_MAX);
  node.first = (uint32_t)ts->operands.len;
  node.count = (uint32_t)n;
  vec_append(&ts->operands, operands, n);
  vec_push(&ts->nodes, node);
  return (Term)ts->nodes.len - 1;
}

Term term_mem(Terms *ts, TermAccess access, Term address, TermError *error) {
  TermType type = term_at(ts, address).type;
  assert(access < TERM_ACCESSES);
  if (type != TERM_IS_INT64) return misfit(error, 0, "an address is Int64, not %s", term_type_word(type));
  if (access == TERM_AS_DECLARED) return misfit(error, 1, "give the type: memory has no declared type");
  TermNode node = {.op = TERM_MEM, .access = (uint8_t)access};
  node.type = (uint8_t)type_of(accesses[access].letter);
  return inner(ts, node, &address, 1, error);
}

// How many operands a signature asks for; most is SIZE_MAX where the last may be repeated.
static void arity(const char *signature, size_t *least, size_t *most) {
  size_t len = strlen(signature + 2);
  char last = len ? signature[len + 1] : 0;
  *most = last == '+' ? SIZE_MAX : last == '?' ? len - 1 : len;
  *least = last == '+' ? len - 1 : last == '?' ? len - 2 : len;
}

static Term miscounted(TermOp op, size_t least, size_t most, size_t n, TermError *error) {
  const char *bound = most == SIZE_MAX ? "at least " : least < most && n < least ? "at least " : "";
  if (least < most && n > most) bound = "at most ";
  size_t wanted = n < least ? least : most;
  return misfit(error, n, "%s takes %s%zu operand%s, not %zu", ops[op].word, bound, wanted,
                wanted == 1 ? "" : "s", n);
}

Term term_apply(Terms *ts, TermOp op, const Term *operands, size_t n, TermError *error) {
  assert(op < TERM_OPS);
  const char *signature = ops[op].signature, *letter = signature + 2;
  assert(*signature && *letter);
  size_t least, most;
  arity(signature, &least, &most);
  if (n < least || n > most) return miscounted(op, least, most, n, error);
  int any = -1;  // the type that a or n stands for
  for (size_t i = 0; i < n; ++i) {
    TermType type = term_at(ts, operands[i]).type;
    if (*letter == 'n' && type != TERM_IS_INT64 && type != TERM_IS_DOUBLE)
      return misfit(error, i, "%s takes numbers, not %s", ops[op].word, term_type_word(type));
    if (*letter != 'a' && *letter != 'n') {
      if (type != type_of(*letter))
        return misfit(error, i, "%s takes %s here, not %s", ops[op].word, term_type_word(type_of(*letter)),
                      term_type_word(type));
    } else if (any >= 0 && (TermType)any != type) {
      return misfit(error, i, "%s takes operands of one type, not %s beside %s", ops[op].word,
                    term_type_word(type), term_type_word((TermType)any));
    } else {
      any = (int)type;
    }
    if (letter[1] && letter[1] != '+') ++letter;
  }
  TermType result = strchr("an", signature[0]) ? (TermType)any : type_of(signature[0]);
  return inner(ts, (TermNode){.op = (uint8_t)op, .type = (uint8_t)result}, operands, n, error);
}

// What is read off term.def without a look at the rows: types are letters, and the evaluator tells
// comparisons, arithmetic and calls by their place.
static void check_table(void) {
  for (int op = 0; op < TERM_OPS; ++op) {
    const char *s = ops[op].signature;
    if (!*s) continue;
    size_t n = strspn(s + 2, "bidsan");
    assert(strchr("bidsan", s[0]) && s[1] == ':');
    assert(!s[2 + n] || (n && strchr("+?", s[2 + n]) && !s[3 + n]));
    assert(!strchr("an", s[0]) || strchr(s + 2, s[0]));
    assert(op < TERM_EQ || op > TERM_BVULE || s[0] == 'b');
    assert(op < TERM_ADD || op > TERM_DOUBLE || (strchr("nid", s[0]) && strchr("nid", s[2])));
    assert(op < TERM_CHAR || (s[2] == 's' && n <= 3));
  }
  for (int a = 0; a < TERM_ACCESSES; ++a) assert(strchr("ids", accesses[a].letter));
}

static TermType type_of_leaf(const TermNode *n) {
  switch (n->op) {
    case TERM_REAL:
      return TERM_IS_DOUBLE;
    case TERM_STRING:
    case TERM_ARGV:
    case TERM_ENV:
      return TERM_IS_STRING;
    case TERM_VAR:
    case TERM_MEM:
      return type_of(accesses[n->access].letter);
    default:
      return TERM_IS_INT64;
  }
}

// Result and operands have the types that the signature says.
static void check_types(const Terms *ts, const TermNode *n) {
  const char *signature = ops[n->op].signature, *letter = signature + 2;
  size_t least, most;
  int any = -1;
  if (!*signature) {
    assert(n->count == (n->op == TERM_MEM) && n->type == type_of_leaf(n));
    return;
  }
  arity(signature, &least, &most);
  assert(n->count >= least && n->count <= most);
  for (uint32_t i = 0; i < n->count; ++i) {
    TermType type = ts->nodes.at[ts->operands.at[n->first + i]].type;
    bool open = *letter == 'a' || *letter == 'n';
    assert(open ? any < 0 || (TermType)any == type : type == type_of(*letter));
    assert(*letter != 'n' || type == TERM_IS_INT64 || type == TERM_IS_DOUBLE);
    if (open) any = (int)type;
    if (letter[1] && letter[1] != '+') ++letter;
  }
  assert(n->type == (strchr("an", signature[0]) ? (TermType)any : type_of(signature[0])));
}

static void check_node(const Terms *ts, Term t) {
  const TermNode *n = &ts->nodes.at[t];
  assert(n->op < TERM_OPS && n->type <= TERM_IS_STRING && n->access < TERM_ACCESSES);
  assert(!n->access || n->op == TERM_VAR || n->op == TERM_MEM);
  assert(n->op != TERM_MEM || n->access != TERM_AS_DECLARED);
  uint32_t depth = 1;
  for (uint32_t i = 0; i < n->count; ++i) {
    Term part = ts->operands.at[n->first + i];
    assert(part < t);
    if (ts->nodes.at[part].depth >= depth) depth = ts->nodes.at[part].depth + 1;
  }
  assert(n->depth == depth && depth <= LIMIT_TERM_DEPTH);
  assert(!has_text(n->op) || n->as.text < intern_count(ts->texts));
  assert(n->op != TERM_REAL || isfinite(n->as.d));
  assert(n->op != TERM_ARGV || (n->as.i >= 0 && n->as.i <= UINT32_MAX));
  check_types(ts, n);
}

void terms_check(const Terms *ts) {
  size_t used = 0;
  check_table();
  for (vec_each(t, &ts->nodes)) {  // each node has its operands to itself, in the order of the nodes
    const TermNode *n = &ts->nodes.at[t];
    assert(n->first == (n->count ? used : 0) && n->count <= ts->operands.len - used);
    check_node(ts, (Term)t);
    used += n->count;
  }
  assert(used == ts->operands.len);
}
