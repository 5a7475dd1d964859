// .tuples: a row a line, numbers or ranges or *, attribute by attribute; a first line `# V0:16 H0:14` may
// name the attributes' instances. .bdd: what bdd_save writes; before it may stand `# V0:16 H0:14` and for
// each of these a line `# v v ...` with the variables of its bits, the lowest first. Without those lines
// variables are numbered by the file bddinfo, which lists a domain a line, instance after instance.
#include <errno.h>
#include "input.h"

// A text, line by line and word by word.
typedef struct {
  Engine *e;
  uint32_t relation;
  const char *path;
  Span text;
  size_t at;
  unsigned line;
  const char *word;  // of the current line
  size_t len;
  size_t line_start, line_end;
} Reader;

static Relation *relation_of(const Reader *r) {
  return &r->e->program->relations.at[r->relation];
}

static bool wrong(Reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(Reader *r, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  unsigned column = r->word ? (unsigned)((const unsigned char *)r->word - r->text.at - r->line_start) + 1 : 0;
  diag(r->e->diags, DIAG_ERROR, (Place){r->path, r->line, column}, "%s", text);
  mem_free(text);
  r->e->wrong = true;
  return false;
}

static bool next_line(Reader *r) {
  r->word = NULL, r->len = 0;
  if (r->line_end >= r->text.len) return false;
  r->line_start = r->at = r->line_end;
  const unsigned char *end = memchr(r->text.at + r->at, '\n', r->text.len - r->at);
  r->line_end = end ? (size_t)(end - r->text.at) + 1 : r->text.len;
  ++r->line;
  return true;
}

static bool is_space(unsigned char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool next_word(Reader *r) {
  while (r->at < r->line_end && is_space(r->text.at[r->at])) ++r->at;
  if (r->at >= r->line_end) return false;
  r->word = (const char *)r->text.at + r->at;
  size_t from = r->at;
  while (r->at < r->line_end && !is_space(r->text.at[r->at])) ++r->at;
  r->len = r->at - from;
  return true;
}

static size_t digits(const char *s, size_t len) {
  size_t n = 0;
  while (n < len && s[n] >= '0' && s[n] <= '9') ++n;
  return n;
}

static bool to_number(const char *s, size_t len, uint64_t *out) {
  uint64_t v = 0;
  if (!len || digits(s, len) != len) return false;
  for (size_t i = 0; i < len; ++i) {
    if (v > (UINT64_MAX - 9) / 10) return false;
    v = v * 10 + (uint64_t)(s[i] - '0');
  }
  *out = v;
  return true;
}

// -- headers

// V0:16, as an attribute of the relation. *bits: 16.
static bool read_instance(Reader *r, uint32_t *attribute, uint64_t *bits) {
  const char *colon = memchr(r->word, ':', r->len);
  size_t name = colon ? (size_t)(colon - r->word) : 0;
  if (!name || !to_number(colon + 1, r->len - name - 1, bits))
    return wrong(r, "expected an instance and its bits, such as V0:16, not '%.*s'", (int)r->len, r->word);
  const Relation *relation = relation_of(r);
  for (vec_each(i, &relation->attributes)) {
    const Attribute *a = &relation->attributes.at[i];
    char *have = mem_format("%s%u", r->e->program->domains.at[a->domain].name, a->number);
    bool same = strlen(have) == name && !memcmp(have, r->word, name);
    mem_free(have);
    if (same) return *attribute = (uint32_t)i, true;
  }
  return wrong(r, "relation '%s' has no attribute in %.*s", relation->name, (int)name, r->word);
}

// The instances of a line that begins with #, in its order; their number, or 0 with an error.
static size_t read_header(Reader *r, uint32_t *attributes) {
  uint64_t seen = 0;
  size_t count = 0;
  const Relation *relation = relation_of(r);
  next_word(r);  // #
  while (next_word(r)) {
    uint32_t attribute = 0;
    uint64_t bits = 0;
    if (!read_instance(r, &attribute, &bits)) return 0;
    if (seen >> attribute & 1) return wrong(r, "this instance is named twice"), 0;
    const Domain *d = &r->e->program->domains.at[relation->attributes.at[attribute].domain];
    if (bits > d->bits)
      return wrong(r, "the file has %llu bits for domain %s, which is declared with %u; declare it larger",
                   (unsigned long long)bits, d->name, d->bits),
             0;
    seen |= (uint64_t)1 << attribute;
    attributes[count++] = attribute;
  }
  if (count == relation->attributes.len) return count;
  r->word = NULL;
  wrong(r, "the first line names %zu of the %zu attributes of '%s'", count, relation->attributes.len,
        relation->name);
  return 0;
}

// -- tuples

static bool read_value(Reader *r, uint32_t attribute, uint64_t *low, uint64_t *high) {
  const Domain *d = &r->e->program->domains.at[relation_of(r)->attributes.at[attribute].domain];
  size_t first = digits(r->word, r->len);
  bool ok = true;
  if (r->len == 1 && *r->word == '*')
    *low = 0, *high = d->size - 1;
  else if (first == r->len)
    ok = to_number(r->word, r->len, low), *high = *low;
  else
    ok = r->word[first] == '-' && to_number(r->word, first, low) &&
         to_number(r->word + first + 1, r->len - first - 1, high);
  if (!ok) return wrong(r, "expected a number, a range such as 3-5, or *, not '%.*s'", (int)r->len, r->word);
  if (*high < *low) return wrong(r, "the range %.*s is empty", (int)r->len, r->word);
  if (*high >> d->bits)
    return wrong(r, "%llu is not in domain %s, which has %llu values", (unsigned long long)*high, d->name,
                 (unsigned long long)d->size);
  return true;
}

typedef Vec(uint64_t) Ranges;

static bool read_row(Reader *r, const uint32_t *attributes, size_t count, Ranges *ranges) {
  uint64_t row[2 * ATTRIBUTES];
  for (size_t i = 0; i < count; ++i) {
    if (i && !next_word(r)) {
      r->word = NULL;
      return wrong(r, "this row has %zu values, but relation '%s' has %zu attributes", i,
                   relation_of(r)->name, count);
    }
    uint32_t a = attributes[i];
    if (!read_value(r, a, &row[2 * a], &row[2 * a + 1])) return false;
  }
  if (next_word(r))
    return wrong(r, "too many values: relation '%s' has %zu attributes", relation_of(r)->name, count);
  vec_append(ranges, row, 2 * count);
  return true;
}

static bool read_rows(Reader *r, Ranges *ranges) {
  uint32_t attributes[ATTRIBUTES];
  size_t count = relation_of(r)->attributes.len;
  for (uint32_t i = 0; i < count; ++i) attributes[i] = i;
  while (next_line(r)) {
    if (r->text.at[r->line_start] == '#') {
      if (r->line == 1 && r->line_end > 2 && r->text.at[1] == ' ' && !read_header(r, attributes))
        return false;
      continue;
    }
    if (next_word(r) && !read_row(r, attributes, count, ranges)) return false;
  }
  return true;
}

static void add_rows(Engine *e, uint32_t relation, const uint64_t *ranges, size_t len) {
  size_t attributes = e->program->relations.at[relation].attributes.len;
  uint64_t *kept = engine_scratch(e, len * sizeof *ranges);
  if (len) memcpy(kept, ranges, len * sizeof *ranges);
  graph_or(&e->relations[relation], rows_build(e, relation, kept, len / (2 * attributes)));
}

// -- BDDs

enum { FILE_VARIABLES = 1 << 16 };
// What a line `# v v ...` or bddinfo says of the variables of a file.
typedef struct {
  int *variable;  // by variable of the file: ours, or -1
  size_t count;
} Translation;

static void translate(Engine *e, Translation *t, uint64_t variable, int to) {
  assert(variable < FILE_VARIABLES);
  if (variable >= t->count) {
    size_t count = (size_t)variable + 64;
    int *grown = engine_scratch(e, count * sizeof *grown);
    for (size_t i = 0; i < count; ++i) grown[i] = i < t->count ? t->variable[i] : -1;
    t->variable = grown, t->count = count;
  }
  t->variable[variable] = to;
}

// The lines behind the first one. Bits that the file does not have are 0.
static bool read_variables(Reader *r, Translation *t, BDD *mask) {
  uint32_t attributes[ATTRIBUTES];
  size_t count = read_header(r, attributes);
  for (size_t i = 0; i < count; ++i) {
    const Block *b = engine_block(r->e, r->relation, attributes[i]);
    unsigned bit = 0;
    if (!next_line(r) || r->text.at[r->line_start] != '#')
      return wrong(r, "expected a line `# variable ...` for each instance of the first line");
    next_word(r);
    while (next_word(r)) {
      uint64_t v;
      if (!to_number(r->word, r->len, &v) || v >= FILE_VARIABLES)
        return wrong(r, "'%.*s' is not a variable", (int)r->len, r->word);
      if (bit == b->bits) return wrong(r, "more variables than the instance has bits (%u)", b->bits);
      translate(r->e, t, v, b->variables[bit++]);
    }
    for (; bit < b->bits; ++bit) graph_and(mask, bdd_nithvar(b->variables[bit]));
  }
  return count != 0;
}

static bool is_named(const Domain *d, const unsigned char *s, size_t len) {
  return strlen(d->name) == len && !memcmp(d->name, s, len);
}

// bddinfo: the n-th line with a domain is its n-th instance; variables are counted through.
static bool read_bddinfo(Reader *r, Translation *t) {
  Engine *e = r->e;
  char *path = file_join(e->program->base, "bddinfo");
  Bytes text = {0};
  int error = file_read(path, &text);
  if (error)
    wrong(r, "the file does not say which variables it uses, and %s cannot be read: %s", path,
          strerror(error));
  mem_free(path);
  uint32_t *seen = mem_array(e->program->domains.len + 1, sizeof *seen);
  uint64_t variable = 0;
  for (size_t i = 0; !error && i < text.len;) {
    const unsigned char *start = text.at + i, *end = memchr(start, '\n', text.len - i);
    size_t len = end ? (size_t)(end - start) : text.len - i;
    i += len + 1;
    while (len && is_space(start[len - 1])) --len;
    for (uint32_t d = 0; d < e->program->domains.len; ++d) {
      const Domain *domain = &e->program->domains.at[d];
      if (!is_named(domain, start, len)) continue;
      for (vec_each(b, &e->order->blocks)) {
        const Block *block = &e->order->blocks.at[b];
        if (block->domain != d || block->number != seen[d]) continue;
        for (unsigned k = 0; k < block->bits && variable + k < FILE_VARIABLES; ++k)
          translate(e, t, variable + k, block->variables[k]);
      }
      ++seen[d], variable += domain->bits;
    }
  }
  mem_free(seen);
  vec_free(&text);
  return !error;
}

static bool numbers_of(Reader *r, uint64_t *out, size_t wanted) {
  size_t n = 0;
  while (next_word(r)) {
    if (n < wanted && !to_number(r->word, r->len, &out[n]))
      return wrong(r, "expected a number, not '%.*s'", (int)r->len, r->word);
    if (++n > wanted) return wrong(r, "expected %zu numbers", wanted);
  }
  r->word = NULL;
  return n == wanted || wrong(r, "expected %zu numbers", wanted);
}

// Nodes of the file by their numbers: leaves are 0 and 1. Each must come behind its successors.
static bool read_node(Reader *r, const Translation *t, Map *nodes, BDD *made) {
  uint64_t n[4], low, high, old;
  if (!numbers_of(r, n, 4)) return false;
  if (n[1] >= t->count || t->variable[n[1]] < 0)
    return wrong(r, "variable %llu belongs to no attribute of '%s'", (unsigned long long)n[1],
                 relation_of(r)->name);
  if (n[0] < 2 || map_get(nodes, n[0], &old))
    return wrong(r, "node %llu is there twice", (unsigned long long)n[0]);
  if (!map_get(nodes, n[2], &low) || !map_get(nodes, n[3], &high))
    return wrong(r, "node %llu leads to a node that has not been there", (unsigned long long)n[0]);
  *made = bdd_addref(bdd_ite(bdd_ithvar(t->variable[n[1]]), (BDD)high, (BDD)low));
  map_put(nodes, n[0], (uint64_t)*made);
  return true;
}

static bool skip_order(Reader *r, uint64_t variables) {
  uint64_t words = 0;
  if (!next_line(r)) return wrong(r, "the file ends before its nodes");
  while (next_word(r)) ++words;
  r->word = NULL;
  return words == variables ||
         wrong(r, "expected the levels of %llu variables", (unsigned long long)variables);
}

static BDD read_nodes(Reader *r, const Translation *t, Map *nodes, uint64_t count) {
  BDD last = bddfalse;
  BDD *made = engine_scratch(r->e, (size_t)count * sizeof *made);
  map_put(nodes, 0, (uint64_t)bddfalse);
  map_put(nodes, 1, (uint64_t)bddtrue);
  size_t done = 0;
  while (done < count) {
    if (!next_line(r)) {
      wrong(r, "the file ends after %zu of its %llu nodes", done, (unsigned long long)count);
      break;
    }
    if (!read_node(r, t, nodes, &made[done])) break;
    last = made[done++];
    if (done % 65536 == 0) graph_check();
  }
  BDD kept = bdd_addref(last);
  for (size_t i = 0; i < done; ++i) bdd_delref(made[i]);
  return kept;
}

// Of the attributes alone: a variable of another instance would be lost when the relation is moved.
static bool belongs(Reader *r, BDD b) {
  BDD rest = bdd_exist(b, r->e->sets[r->relation]);
  if (rest == bddtrue || rest == bddfalse) return true;
  return wrong(r, "the file uses instances of domains that relation '%s' does not have", relation_of(r)->name);
}

static void read_bdd(Reader *r, Map *nodes) {
  Translation t = {0};
  BDD mask = bddtrue, b = bddfalse;
  bool header = r->text.len > 1 && r->text.at[0] == '#' && r->text.at[1] == ' ';
  if (!next_line(r)) {
    wrong(r, "the file is empty");
    return;
  }
  if (header && (!read_variables(r, &t, &mask) || !next_line(r))) {
    if (!r->e->wrong) wrong(r, "the file ends before its nodes");
    return;
  }
  uint64_t size[3] = {0};
  size_t words = 0;
  while (words < 3 && next_word(r) && to_number(r->word, r->len, &size[words])) ++words;
  r->word = NULL;
  if (words == 3 && !size[0] && !size[1] && size[2] < 2) {
    graph_set(&b, size[2] ? bddtrue : bddfalse);
  } else if (words != 2) {
    wrong(r, "expected the numbers of nodes and variables");
    return;
  } else if (size[0] > r->text.len || size[1] > FILE_VARIABLES) {
    wrong(r, "the file is shorter than the number of its nodes says");
    return;
  } else {
    if ((!header && !read_bddinfo(r, &t)) || !skip_order(r, size[1])) return;
    b = read_nodes(r, &t, nodes, size[0]);
  }
  r->line = 0;
  if (!r->e->wrong && belongs(r, b)) {
    graph_and(&b, mask);
    graph_or(&r->e->relations[r->relation], b);
  }
  bdd_delref(b);
  bdd_delref(mask);
}

// -- both

static void load_text(Engine *e, uint32_t relation, const char *path, Span text, bool bdd) {
  Reader r = {.e = e, .relation = relation, .path = path, .text = text};
  if (bdd) {
    map_free(e->nodes);
    e->nodes = map_new();
    read_bdd(&r, e->nodes);
    return;
  }
  Ranges ranges = {0};
  bool ok = read_rows(&r, &ranges);
  Bytes rows = {(unsigned char *)ranges.at, ranges.len * sizeof *ranges.at, ranges.cap * sizeof *ranges.at};
  vec_push(&e->scratch, rows);
  if (ok) add_rows(e, relation, ranges.at, ranges.len);
}

static void load_file(Engine *e, uint32_t relation, bool bdd) {
  const Relation *r = &e->program->relations.at[relation];
  char *name = mem_format("%s.%s", r->name, bdd ? "bdd" : "tuples"),
       *path = file_join(e->program->base, name);
  Bytes text = {0};
  int error = file_read(path, &text);
  char *kept = engine_scratch(e, strlen(path) + 1);
  memcpy(kept, path, strlen(path) + 1);
  mem_free(path);
  mem_free(name);
  vec_push(&e->scratch, text);  // freed with the engine
  if (!error) {
    load_text(e, relation, kept, span_of(text.at, text.len), bdd);
    return;
  }
  bool empty = error == ENOENT && !e->program->strict;
  diag(e->diags, empty ? DIAG_WARNING : DIAG_ERROR, r->place, "cannot read the input relation %s: %s%s", kept,
       strerror(error), empty ? "; it is taken to be empty" : "");
  e->wrong |= !empty;
}

static void load_given(Engine *e, uint32_t relation) {
  const Relation *r = &e->program->relations.at[relation];
  for (unsigned bdd = 0; bdd < 2; ++bdd)
    if (r->files[bdd].len) load_text(e, relation, r->name, span_of(r->files[bdd].at, r->files[bdd].len), bdd);
  if (!r->given.len) return;
  uint64_t *ranges = engine_scratch(e, 2 * r->given.len * sizeof *ranges);
  for (vec_each(i, &r->given)) ranges[2 * i] = ranges[2 * i + 1] = r->given.at[i];
  graph_or(&e->relations[relation], rows_build(e, relation, ranges, r->given.len / r->attributes.len));
}

void input_load(void *engine) {
  Engine *e = engine;
  for (uint32_t i = 0; i < e->program->relations.len; ++i) {
    const Relation *r = &e->program->relations.at[i];
    if (r->was_given)
      load_given(e, i);
    else {
      if (r->flags & RELATION_INPUT) load_file(e, i, true);
      if (r->flags & RELATION_INPUT_TUPLES) load_file(e, i, false);
    }
    graph_check();
  }
}
