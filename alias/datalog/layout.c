#include "layout.h"

void layout_groups_free(Layout *o) {
  for (vec_each(i, &o->groups)) vec_free(&o->groups.at[i]);
  vec_free(&o->groups);
}

void layout_free(Layout *o) {
  layout_groups_free(o);
  vec_free(&o->blocks);
}

static uint32_t find_block(const Layout *o, uint32_t domain, uint32_t number) {
  for (vec_each(i, &o->blocks))
    if (o->blocks.at[i].domain == domain && o->blocks.at[i].number == number) return (uint32_t)i;
  return NONE;
}

uint32_t layout_block(Layout *o, const Ruleset *p, uint32_t domain, uint32_t number) {
  uint32_t known = find_block(o, domain, number);
  if (known != NONE) return known;
  Block b = {.domain = domain, .number = number, .bits = p->domains.at[domain].bits};
  vec_push(&o->blocks, b);
  return (uint32_t)o->blocks.len - 1;
}

static bool is_used(const Relation *r, uint32_t domain, uint32_t number) {
  for (vec_each(i, &r->attributes))
    if (r->attributes.at[i].domain == domain && r->attributes.at[i].number == number) return true;
  return false;
}

void layout_attributes(Layout *o, Ruleset *p) {
  for (vec_each(i, &p->relations)) {
    Relation *r = &p->relations.at[i];
    for (vec_each(k, &r->attributes)) {
      Attribute *a = &r->attributes.at[k];
      for (uint32_t n = 0; a->number == NONE; ++n)
        if (!is_used(r, a->domain, n)) a->number = n;
      a->block = layout_block(o, p, a->domain, a->number);
    }
  }
}

// -- from text

// The block or domain instance that the text begins with; its length, 0 if there is none. The longest name
// counts, for `x` and `_` may be parts of one.
static size_t read_block(const Layout *o, const Ruleset *p, const char *s, uint32_t *block) {
  size_t best = 0;
  for (vec_each(i, &p->domains)) {
    size_t name = strlen(p->domains.at[i].name);
    if (strncmp(s, p->domains.at[i].name, name)) continue;
    size_t digits = strspn(s + name, "0123456789");
    char behind = s[name + digits];
    if (!digits || digits > 2 || (behind && behind != '_' && behind != 'x')) continue;
    uint32_t number = (uint32_t)(s[name] - '0');
    if (digits == 2) number = number * 10 + (uint32_t)(s[name + 1] - '0');
    if (name + digits <= best) continue;
    best = name + digits;
    *block = find_block(o, (uint32_t)i, number);
  }
  return best;
}

static bool is_placed(const Layout *o, uint32_t block, size_t *group) {
  for (vec_each(g, &o->groups))
    for (vec_each(i, &o->groups.at[g]))
      if (o->groups.at[g].at[i] == block) return *group = g, true;
  return false;
}

static bool read_groups(Layout *o, const Ruleset *p, const char *text, Place at, Diags *diags) {
  IdVec group = {0};
  for (const char *s = text; *s;) {
    uint32_t block = NONE;
    size_t len = read_block(o, p, s, &block), unused;
    bool twice = false;
    for (vec_each(i, &group)) twice |= block != NONE && group.at[i] == block;
    if (!len || twice || (block != NONE && is_placed(o, block, &unused))) {
      Place here = {at.file, at.line, at.column + (unsigned)(s - text)};
      char *rest = shown(s);
      diag(diags, DIAG_ERROR, at.file ? here : at,
           len ? "order of variables: '%s' begins with a block that is there already"
               : "order of variables: '%s' does not begin with an instance of a domain, such as V0",
           rest);
      mem_free(rest);
      vec_free(&group);
      return false;
    }
    if (block != NONE) vec_push(&group, block);  // of others there is nothing to order
    s += len;
    bool more = *s == 'x';
    if (*s) ++s;
    if (more && *s) continue;
    if (group.len) {
      vec_push(&o->groups, group);
      group = (IdVec){0};
    }
  }
  vec_free(&group);
  return true;
}

// -- from wishes

static uint32_t root_of(uint32_t *parent, uint32_t x) {
  while (parent[x] != x) x = parent[x] = parent[parent[x]];
  return x;
}

// Instances of a domain are interleaved, and so are blocks that a relation wants interleaved.
static void group_by_wish(const Layout *o, const Ruleset *p, uint32_t *parent) {
  for (vec_each(i, &o->blocks)) {
    parent[i] = (uint32_t)i;
    for (uint32_t k = 0; k < i; ++k)
      if (o->blocks.at[k].domain == o->blocks.at[i].domain) parent[i] = root_of(parent, k);
  }
  for (vec_each(i, &p->relations)) {
    const Relation *r = &p->relations.at[i];
    for (vec_each(k, &r->wishes)) {
      const OrderWish *w = &r->wishes.at[k];
      uint32_t a = root_of(parent, r->attributes.at[w->left].block);
      uint32_t b = root_of(parent, r->attributes.at[w->right].block);
      if (w->interleaved) parent[a > b ? a : b] = a > b ? b : a;
    }
  }
}

// Whether a group that is still to be placed is wanted before this one.
static bool must_wait(const Ruleset *p, uint32_t *parent, const bool *placed, uint32_t root) {
  for (vec_each(i, &p->relations)) {
    const Relation *r = &p->relations.at[i];
    for (vec_each(k, &r->wishes)) {
      const OrderWish *w = &r->wishes.at[k];
      uint32_t a = root_of(parent, r->attributes.at[w->left].block);
      uint32_t b = root_of(parent, r->attributes.at[w->right].block);
      if (!w->interleaved && b == root && a != root && !placed[a]) return true;
    }
  }
  return false;
}

static void arrange_by_wish(Layout *o, const Ruleset *p) {
  size_t count = o->blocks.len;
  uint32_t *parent = mem_array(count + 1, sizeof *parent);
  bool *placed = mem_array(count + 1, sizeof *placed);
  group_by_wish(o, p, parent);
  for (;;) {
    uint32_t next = NONE, first = NONE;
    for (uint32_t i = 0; i < count; ++i) {
      if (root_of(parent, i) != i || placed[i]) continue;
      if (first == NONE) first = i;
      if (next == NONE && !must_wait(p, parent, placed, i)) next = i;
    }
    if (next == NONE) next = first;  // wishes that contradict each other
    if (next == NONE) break;
    placed[next] = true;
    IdVec group = {0};
    for (uint32_t i = 0; i < count; ++i)
      if (root_of(parent, i) == next) vec_push(&group, i);
    vec_push(&o->groups, group);
  }
  mem_free(parent);
  mem_free(placed);
}

// A block that the text does not name: beside another instance of its domain, or at the end.
static void place(Layout *o, uint32_t block) {
  size_t group;
  for (uint32_t i = (uint32_t)o->blocks.len; i-- > 0;) {
    if (i == block || o->blocks.at[i].domain != o->blocks.at[block].domain || !is_placed(o, i, &group))
      continue;
    vec_push(&o->groups.at[group], block);
    return;
  }
  IdVec alone = {0};
  vec_push(&alone, block);
  vec_push(&o->groups, alone);
}

bool layout_arrange(Layout *o, const Ruleset *p, const char *text, Place at, Diags *diags) {
  layout_groups_free(o);
  if (text && !read_groups(o, p, text, at, diags)) return false;
  if (!text) arrange_by_wish(o, p);
  size_t unused;
  for (uint32_t i = 0; i < o->blocks.len; ++i)
    if (!is_placed(o, i, &unused)) place(o, i);
  layout_number(o);
  CHECKED(layout_check(o, p));
  if (o->variables <= LAYOUT_VARIABLES) return true;
  diag_error(diags,
             "the program needs %u BDD variables, more than %d; make domains smaller, or rules shorter",
             o->variables, LAYOUT_VARIABLES);
  return false;
}

void layout_number(Layout *o) {
  o->variables = 0;
  for (vec_each(g, &o->groups)) {
    const IdVec *group = &o->groups.at[g];
    for (unsigned bit = DOMAIN_BITS; bit-- > 0;)
      for (vec_each(i, group)) {
        Block *b = &o->blocks.at[group->at[i]];
        if (bit < b->bits) b->variables[bit] = (int)o->variables++;
      }
  }
}

char *layout_text(const Layout *o, const Ruleset *p) {
  Bytes out = {0};
  for (vec_each(g, &o->groups))
    for (vec_each(i, &o->groups.at[g])) {
      const Block *b = &o->blocks.at[o->groups.at[g].at[i]];
      char *one = mem_format("%s%s%u", i ? "x" : g ? "_" : "", p->domains.at[b->domain].name, b->number);
      bytes_text(&out, one);
      mem_free(one);
    }
  vec_push(&out, 0);
  return (char *)out.at;
}

void layout_check(const Layout *o, const Ruleset *p) {
  size_t placed = 0;
  unsigned variables = 0;
  for (vec_each(g, &o->groups)) {
    assert(o->groups.at[g].len);
    placed += o->groups.at[g].len;
    for (vec_each(i, &o->groups.at[g])) assert(o->groups.at[g].at[i] < o->blocks.len);
  }
  assert(placed == o->blocks.len);
  bool *seen = mem_array(o->variables + 1, sizeof *seen);
  for (vec_each(i, &o->blocks)) {
    const Block *b = &o->blocks.at[i];
    assert(b->domain < p->domains.len && b->bits == p->domains.at[b->domain].bits);
    variables += b->bits;
    for (unsigned k = 0; k < b->bits; ++k) {
      assert(b->variables[k] >= 0 && (unsigned)b->variables[k] < o->variables && !seen[b->variables[k]]);
      seen[b->variables[k]] = true;
    }
  }
  assert(variables == o->variables);
  mem_free(seen);
}
