// The reader of programs: directives, domains and declarations. Which kind of line it is follows bddbddb: a
// number as second word makes a domain, a full stop a rule, a question mark a query, all else declares a
// relation.
#include "parse.h"

enum { INCLUDES = 32 };

Place parse_place(const Parser *p, Token t) {
  return line_place(&p->line, p->file, t.offset);
}

char *parse_shown(Token t) {
  if (t.kind == TOKEN_END) return mem_string("the end of the line");
  char *text = mem_format("%.*s", (int)t.len, t.at), *safe = shown(text);
  mem_free(text);
  char *quoted = mem_format("'%s'", safe);
  mem_free(safe);
  return quoted;
}

bool parse_wrong(Parser *p, Token at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  diag(p->diags, DIAG_ERROR, parse_place(p, at), "%s", text);
  mem_free(text);
  return false;
}

void parse_next(Parser *p) {
  p->token = line_token(&p->line, &p->at);
}

static bool unexpected(Parser *p, const char *wanted) {
  char *got = parse_shown(p->token);
  parse_wrong(p, p->token, "expected %s, not %s", wanted, got);
  mem_free(got);
  return false;
}

bool parse_expect(Parser *p, const char *mark) {
  char quoted[16];
  snprintf(quoted, sizeof quoted, "'%s'", mark);
  if (!token_is(p->token, mark)) return unexpected(p, quoted);
  parse_next(p);
  return true;
}

bool parse_number(Parser *p, uint64_t *out) {
  if (p->token.kind != TOKEN_NUMBER) return unexpected(p, "a number");
  uint64_t value = 0;
  for (size_t i = 0; i < p->token.len; ++i) {
    unsigned digit = (unsigned)(p->token.at[i] - '0');
    if (value > (((uint64_t)1 << DOMAIN_BITS) - digit) / 10)
      return parse_wrong(p, p->token, "numbers must be at most 2^%d", DOMAIN_BITS);
    value = value * 10 + digit;
  }
  *out = value;
  parse_next(p);
  return true;
}

bool parse_priority(Parser *p, int *out) {
  if (token_is(p->token, "=")) parse_next(p);
  bool negative = token_is(p->token, "-");
  if (negative) parse_next(p);
  Token at = p->token;
  uint64_t value = 0;
  if (!parse_number(p, &value)) return false;
  if (value > 1000000) return parse_wrong(p, at, "priorities must be at most 1000000");
  *out = negative ? -(int)value : (int)value;
  return true;
}

// -- domains

static void load_map(Parser *p, Domain *d, const char *name, Place at) {
  char *path = file_join(p->program->base, name);
  Bytes text = {0};
  int error = file_read(path, &text);
  if (error)
    diag(p->diags, DIAG_WARNING, at, "cannot read the map %s: %s; values of '%s' have no names", path,
         strerror(error), d->name);
  for (size_t i = 0; i < text.len && d->names.len < d->size;) {
    const unsigned char *start = text.at + i, *end = memchr(start, '\n', text.len - i);
    size_t len = end ? (size_t)(end - start) : text.len - i;
    i += len + 1;
    domain_name_next(d, (const char *)start, len && start[len - 1] == '\r' ? len - 1 : len);
  }
  vec_free(&text);
  mem_free(path);
}

static void parse_domain(Parser *p, Token name) {
  Token number = p->token;
  uint64_t size = 0;
  if (!parse_number(p, &size)) return;
  if (!size) {
    parse_wrong(p, number, "a domain must have at least one value");
    return;
  }
  if (ruleset_domain(p->program, name.at, name.len) != NONE) {
    parse_wrong(p, name, "domain '%.*s' is declared twice", (int)name.len, name.at);
    return;
  }
  Domain d = {.name = mem_format("%.*s", (int)name.len, name.at), .place = parse_place(p, name)};
  domain_resize(&d, size);
  if (p->token.kind != TOKEN_END)  // what is left of the line is the name of a file
    load_map(p, &d, (const char *)p->line.text.at + p->token.offset, parse_place(p, p->token));
  d.mapped = d.names.len ? d.names.len : 0;
  vec_push(&p->program->domains, d);
}

// -- relations

// NAME or NAME with the number of an instance. A domain's own name may end in digits too.
static bool parse_domain_use(Parser *p, Attribute *a) {
  Token t = p->token;
  if (t.kind != TOKEN_NAME) return unexpected(p, "a domain");
  size_t len = t.len;
  while (len && t.at[len - 1] >= '0' && t.at[len - 1] <= '9') --len;
  a->domain = len == t.len ? NONE : ruleset_domain(p->program, t.at, len);
  a->number = NONE;
  if (a->domain == NONE) {
    a->domain = ruleset_domain(p->program, t.at, t.len);
    if (a->domain == NONE)
      return parse_wrong(p, t, "unknown domain '%.*s': declare it as `%.*s SIZE`", (int)t.len, t.at, (int)len,
                         t.at);
  } else {
    uint32_t number = 0;
    for (size_t i = len; i < t.len; ++i) number = number * 10 + (uint32_t)(t.at[i] - '0');
    if (t.len - len > 2)
      return parse_wrong(p, t, "a domain has at most 100 instances: %.*s0 to %.*s99", (int)len, t.at,
                         (int)len, t.at);
    a->number = number;
  }
  parse_next(p);
  return true;
}

static bool parse_attribute(Parser *p, Relation *r) {
  Token name = p->token;
  if (name.kind != TOKEN_NAME)
    return unexpected(p, "the name of an attribute (a rule must end with a full stop)");
  parse_next(p);
  Token use;
  Attribute a = {.place = parse_place(p, name), .block = NONE};
  if (!parse_expect(p, ":") || (use = p->token, !parse_domain_use(p, &a))) return false;
  for (vec_each(i, &r->attributes))
    if (a.number != NONE && r->attributes.at[i].domain == a.domain && r->attributes.at[i].number == a.number)
      return parse_wrong(p, use, "two attributes of a relation cannot both be in %.*s", (int)use.len, use.at);
  if (r->attributes.len == ATTRIBUTES)
    return parse_wrong(p, name, "a relation has at most %d attributes", ATTRIBUTES);
  a.name = mem_format("%.*s", (int)name.len, name.at);
  vec_push(&r->attributes, a);
  return true;
}

static uint32_t attribute_named(const Relation *r, Token t) {
  for (vec_each(i, &r->attributes))
    if (strlen(r->attributes.at[i].name) == t.len && !memcmp(r->attributes.at[i].name, t.at, t.len))
      return (uint32_t)i;
  return NONE;
}

// a<b or a=b: wishes about the order of variables.
static bool parse_wish(Parser *p, Relation *r, Token left) {
  OrderWish w = {.left = attribute_named(r, left), .interleaved = token_is(p->token, "=")};
  parse_next(p);
  Token right = p->token;
  w.right = attribute_named(r, right);
  if (w.left == NONE || w.right == NONE) {
    Token t = w.left == NONE ? left : right;
    return parse_wrong(p, t, "relation '%s' has no attribute '%.*s'", r->name, (int)t.len, t.at);
  }
  vec_push(&r->wishes, w);
  parse_next(p);
  return true;
}

static const struct {
  const char *word;
  unsigned flag;
} relation_words[] = {{"input", RELATION_INPUT},          {"inputtuples", RELATION_INPUT_TUPLES},
                      {"output", RELATION_OUTPUT},        {"outputtuples", RELATION_OUTPUT_TUPLES},
                      {"printsize", RELATION_PRINT_SIZE}, {"printtuples", RELATION_PRINT_TUPLES}};

static bool parse_relation_option(Parser *p, Relation *r) {
  Token word = p->token;
  if (token_is(word, "{"))
    return parse_wrong(p, word,
                       "code blocks are Java code of bddbddb, which cannot be run; remove the block");
  if (word.kind != TOKEN_NAME) return unexpected(p, "an option of the relation");
  parse_next(p);
  for (size_t i = 0; i < sizeof relation_words / sizeof *relation_words; ++i)
    if (token_is(word, relation_words[i].word)) return r->flags |= relation_words[i].flag, true;
  int unused;
  if (token_is(word, "pri")) return parse_priority(p, &unused);
  if (token_is(p->token, "<") || token_is(p->token, "=")) return parse_wish(p, r, word);
  return parse_wrong(p, word, "unknown option '%.*s' of a relation", (int)word.len, word.at);
}

static bool is_same(const Relation *a, const Relation *b) {
  if (a->attributes.len != b->attributes.len) return false;
  for (vec_each(i, &a->attributes))
    if (a->attributes.at[i].domain != b->attributes.at[i].domain ||
        a->attributes.at[i].number != b->attributes.at[i].number)
      return false;
  return true;
}

static bool parse_declaration(Parser *p, Relation *r) {
  if (!parse_expect(p, "(")) return false;
  do {
    if (!parse_attribute(p, r)) return false;
    if (!token_is(p->token, ",") && !token_is(p->token, ")")) return unexpected(p, "',' or ')'");
  } while (token_is(p->token, ",") && (parse_next(p), true));
  parse_next(p);
  while (p->token.kind != TOKEN_END)
    if (!parse_relation_option(p, r)) return false;
  return true;
}

static void parse_relation(Parser *p, Token name) {
  Relation r = {.name = mem_format("%.*s", (int)name.len, name.at), .place = parse_place(p, name)};
  bool ok = parse_declaration(p, &r);
  uint32_t old = ruleset_relation(p->program, name.at, name.len);
  if (ok && old != NONE) {
    Relation *before = &p->program->relations.at[old];
    if (before->flags & RELATION_GUESSED)
      parse_wrong(p, name, "relation '%s' is declared after its first use; declare it before", r.name);
    else if (!is_same(before, &r))
      parse_wrong(p, name, "relation '%s' is declared twice, with other attributes", r.name);
    else
      before->flags |= r.flags;
    ok = false;
  }
  if (ok)
    vec_push(&p->program->relations, r);
  else
    relation_free(&r);
}

// -- directives

static void parse_file(Parser *p, const char *path, Span text);

// What is left of the line, without quotes; the caller frees it.
static char *rest_of(const Parser *p, size_t offset) {
  const char *s = (const char *)p->line.text.at + offset;
  while (*s == ' ' || *s == '\t') ++s;
  size_t len = strlen(s);
  if (len >= 2 && *s == '"' && s[len - 1] == '"') ++s, len -= 2;
  return mem_format("%.*s", (int)len, s);
}

static void include(Parser *p, Token at, const char *name) {
  if (p->depth >= INCLUDES) {
    parse_wrong(p, at, "files include each other more than %d deep", INCLUDES);
    return;
  }
  char *path = file_join(p->program->folder, name);
  if (!file_exists(path)) {
    mem_free(path);
    path = file_join(p->program->base, name);
  }
  Bytes text = {0};
  int error = file_read(path, &text);
  if (error)
    parse_wrong(p, at, "cannot include %s: %s", path, strerror(error));
  else
    parse_file(p, path, span_of(text.at, text.len));
  vec_free(&text);
  mem_free(path);
}

static void set_base(Parser *p, const char *name) {
  if (p->input) return;
  char *joined = file_join(p->program->base, name);
  mem_free(p->program->base);
  p->program->base = joined;
}

// Words that concern how bddbddb runs, and make no difference to what a program means.
static const char *const ignored[] = {"bddnodes", "bddcache", "bddminfree",    "report_stats",
                                      "noisy",    "trace",    "findbestorder", "incremental"};

static void parse_directive(Parser *p) {
  Token dot = p->token;
  parse_next(p);
  Token word = p->token;
  char *rest = rest_of(p, p->at);
  bool on = strcmp(rest, "no") && strcmp(rest, "false");
  bool known = true;
  if (token_is(word, "include"))
    include(p, word, rest);
  else if (token_is(word, "basedir"))
    set_base(p, rest);
  else if (token_is(word, "bddvarorder")) {
    mem_free(p->program->order);
    p->program->order = mem_string(rest);
    parse_next(p);
    p->program->order_place = parse_place(p, p->token);
  } else if (token_is(word, "split_all_rules"))
    p->program->split_all = on;
  else if (token_is(word, "singleignore"))
    p->program->single_ignored = on;
  else if (token_is(word, "strict"))
    p->program->strict = on;
  else if (token_is(word, "dot"))
    diag(p->diags, DIAG_WARNING, parse_place(p, word), ".dot is not supported: no graph is drawn");
  else
    known = false;
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; ++i) known |= token_is(word, ignored[i]);
  if (!known) parse_wrong(p, dot, "unknown directive '.%.*s'", (int)word.len, word.at);
  mem_free(rest);
}

// -- lines

// The first of . ? { on the line, or 0; *unclosed: a text without its second quote.
static char kind_of(const Line *l, Token *unclosed) {
  size_t at = 0;
  for (Token t = line_token(l, &at); t.kind != TOKEN_END; t = line_token(l, &at)) {
    if (token_is(t, ".") || token_is(t, "?") || token_is(t, "{")) return *t.at;
    if (t.kind == TOKEN_WRONG && !t.len) *unclosed = t;
  }
  return 0;
}

static void parse_line(Parser *p) {
  p->at = 0;
  if (!p->line.text.len || *p->line.text.at == '#') return;
  parse_next(p);
  if (token_is(p->token, ".")) {
    parse_directive(p);
    return;
  }
  Token unclosed = {0};
  char kind = kind_of(&p->line, &unclosed);
  if (unclosed.kind == TOKEN_WRONG) {
    parse_wrong(p, unclosed, "this text has no closing quote");
    return;
  }
  Token name = p->token;
  size_t behind = p->at;
  if (name.kind == TOKEN_NAME) {
    parse_next(p);
    if (p->token.kind == TOKEN_NUMBER) {
      parse_domain(p, name);
      return;
    }
    if (kind != '.' && kind != '?') {
      parse_relation(p, name);
      return;
    }
  }
  p->token = name, p->at = behind;
  if (kind == '.')
    parse_rule(p);
  else if (kind == '?')
    parse_query(p);
  else
    unexpected(p, "a domain, a relation, a rule, a query or a directive");
}

static void parse_file(Parser *outer, const char *path, Span text) {
  char *name = mem_string(path);
  vec_push(&outer->program->files, name);
  Parser p = {outer->program, outer->diags, name, outer->input, .depth = outer->depth + 1};
  Lines lines = {name, text, 0, 0};
  while (lines_next(&lines, &p.line)) parse_line(&p);
  line_free(&p.line);
}

void parse_program(Ruleset *program, const char *name, Span text, const char *input, Diags *diags) {
  size_t folder = (size_t)(file_base(name) - name);
  program->folder = folder ? mem_format("%.*s", (int)folder, name) : mem_string(".");
  program->base = mem_string(input ? input : program->folder);
  Parser p = {.program = program, .diags = diags, .input = input};
  parse_file(&p, name, text);
}
