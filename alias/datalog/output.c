#include <math.h>
#include "output.h"

void output_size(Bytes *out, double size) {
  char text[64];
  snprintf(text, sizeof text, size < 9007199254740992.0 ? "%.0f" : "%.14g", size);
  bytes_text(out, text);
}

static void put_number(Bytes *out, uint64_t n, char behind) {
  char text[24];
  int len = snprintf(text, sizeof text, "%llu%c", (unsigned long long)n, behind);
  vec_append(out, text, (size_t)len);
}

static void put_instances(const Engine *e, uint32_t relation, Bytes *out) {
  const Relation *r = &e->program->relations.at[relation];
  bytes_text(out, "#");
  for (vec_each(i, &r->attributes)) {
    const Block *b = engine_block(e, relation, i);
    char *one = mem_format(" %s%u:%u", e->program->domains.at[b->domain].name, b->number, b->bits);
    bytes_text(out, one);
    mem_free(one);
  }
  bytes_text(out, "\n");
}

// -- BDDs

typedef struct {
  Bytes *out;
  Map *ids;
  uint64_t next;
} NodeWriter;

static uint64_t put_node(NodeWriter *w, BDD b) {
  uint64_t id;
  if (b == bddfalse || b == bddtrue) return b == bddtrue;
  if (map_get(w->ids, (uint64_t)b, &id)) return id;
  uint64_t low = put_node(w, bdd_low(b)), high = put_node(w, bdd_high(b));
  id = w->next++;
  map_put(w->ids, (uint64_t)b, id);
  put_number(w->out, id, ' ');
  put_number(w->out, (uint64_t)bdd_var(b), ' ');
  put_number(w->out, low, ' ');
  put_number(w->out, high, '\n');
  return id;
}

void output_bdd(Engine *e, uint32_t relation, Bytes *out) {
  BDD b = e->relations[relation];
  put_instances(e, relation, out);
  for (vec_each(i, &e->program->relations.at[relation].attributes)) {
    const Block *block = engine_block(e, relation, i);
    bytes_text(out, "# ");
    for (unsigned k = 0; k < block->bits; ++k)
      put_number(out, (uint64_t)block->variables[k], k + 1 < block->bits ? ' ' : '\n');
  }
  if (b == bddfalse || b == bddtrue) {
    bytes_text(out, b == bddtrue ? "0 0 1\n" : "0 0 0\n");
    return;
  }
  put_number(out, (uint64_t)bdd_nodecount(b), ' ');
  put_number(out, e->order->variables, '\n');
  for (unsigned v = 0; v < e->order->variables; ++v)
    put_number(out, (uint64_t)bdd_var2level((int)v), v + 1 < e->order->variables ? ' ' : '\n');
  NodeWriter w = {out, map_new(), 2};
  put_node(&w, b);
  map_free(w.ids);
}

// -- rows

typedef struct {
  const Engine *e;
  const Relation *relation;
  Bytes *out;
  uint64_t rows;
} RowWriter;

static bool is_too_many(RowWriter *w) {
  if (w->rows++ < LIMIT_DATALOG_TUPLES && w->out->len < SIZE_MAX / 4) return false;
  limit_reached(LIMIT_OF_DATALOG_TUPLES);
  return true;
}

static bool put_row(void *self, const uint64_t *values, const bool *any) {
  RowWriter *w = self;
  if (is_too_many(w)) return false;
  for (vec_each(i, &w->relation->attributes)) {
    char behind = i + 1 < w->relation->attributes.len ? ' ' : '\n';
    if (any[i]) {
      char star[2] = {'*', behind};
      vec_append(w->out, star, 2);
    } else
      put_number(w->out, values[i], behind);
  }
  return true;
}

static bool put_named_row(void *self, const uint64_t *values, const bool *any) {
  RowWriter *w = self;
  if (is_too_many(w)) return false;
  for (vec_each(i, &w->relation->attributes)) {
    const Attribute *a = &w->relation->attributes.at[i];
    bytes_text(w->out, i ? ", " : "  ");
    put_shown(w->out, a->name);
    bytes_text(w->out, " = ");
    const char *name = any[i] ? NULL : domain_name(&w->e->program->domains.at[a->domain], values[i]);
    char *number = any[i] ? mem_string("*") : mem_format("%llu", (unsigned long long)values[i]);
    bytes_text(w->out, number);
    mem_free(number);
    if (!name) continue;
    bytes_text(w->out, " \"");
    put_shown(w->out, name);
    bytes_text(w->out, "\"");
  }
  bytes_text(w->out, "\n");
  return true;
}

static bool put_rows(Engine *e, uint32_t relation, Bytes *out, BitsRow *row) {
  const Block *blocks[ATTRIBUTES];
  size_t count = engine_blocks(e, relation, blocks);
  RowWriter w = {e, &e->program->relations.at[relation], out, 0};
  return bits_each(e->relations[relation], blocks, count, true, row, &w);
}

bool output_tuples(Engine *e, uint32_t relation, Bytes *out) {
  put_instances(e, relation, out);
  return put_rows(e, relation, out, put_row);
}

bool output_named(Engine *e, uint32_t relation, Bytes *out) {
  return put_rows(e, relation, out, put_named_row);
}
