// The constraints and their solution as text, a line each, for another solver to compare itself with
// (tests/naive.py). Numbers only; the header there explains the lines.
#include "internal.h"

static void put(Bytes *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  bytes_text(out, text);
  mem_free(text);
}

static void dump_objects(const Alias *a, Bytes *out) {
  const System *y = a->sys;
  for (vec_each(i, &y->objects)) put(out, "object %lld\n", (long long)y->sizes.at[i]);
  for (vec_each(i, &y->escaped)) put(out, "escaped %u\n", y->escaped.at[i]);
  for (vec_each(i, &y->routines)) {
    const Routine *r = &y->routines.at[i];
    put(out, "routine %u %u %u %u %u %u %d\n", r->object, r->first, r->count, r->extra, r->result, r->type,
        LLVMIsDeclaration(r->function));
  }
  for (uint32_t c = 0; c < intern_count(y->types); ++c)
    for (uint32_t r = 0; r < intern_count(y->types); ++r)
      if (signature_fits(intern_text(y->types, c), intern_text(y->types, r))) put(out, "fits %u %u\n", c, r);
}

static void dump_constraints(const Alias *a, Bytes *out) {
  const System *y = a->sys;
  for (vec_each(i, &y->bases)) {
    Spot s = spots_at(y->spots, y->bases.at[i].spot);
    put(out, "base %u %u %lld %lld %lld\n", y->bases.at[i].node, s.object, (long long)s.first,
        (long long)s.stride, (long long)s.end);
  }
  for (vec_each(i, &y->edges)) {
    Shift s = y->shifts.at[y->edges.at[i].shift];
    put(out, "edge %u %u %lld %lld %lld\n", y->edges.at[i].dst, y->edges.at[i].src, (long long)s.bytes,
        (long long)s.stride, (long long)s.limit);
  }
  for (vec_each(i, &y->loads))
    put(out, "load %u %u %lld\n", y->loads.at[i].value, y->loads.at[i].pointer,
        (long long)y->loads.at[i].bytes);
  for (vec_each(i, &y->stores))
    put(out, "store %u %u %lld\n", y->stores.at[i].value, y->stores.at[i].pointer,
        (long long)y->stores.at[i].bytes);
  for (vec_each(i, &y->moves))
    put(out, "move %u %u %u %lld\n", y->moves.at[i].dst, y->moves.at[i].src, y->moves.at[i].object,
        (long long)y->moves.at[i].bytes);
  for (vec_each(i, &y->calls)) {
    const Call *c = &y->calls.at[i];
    put(out, "call %u %lld %lld", c->callee, c->result == NODE_NONE ? -1LL : (long long)c->result,
        c->program ? -2LL : c->type == NODE_NONE ? -1LL : (long long)c->type);
    for (uint32_t k = 0; k < c->count; ++k) {
      uint32_t arg = y->args.at[c->first + k];
      put(out, " %lld", arg == NODE_NONE ? -1LL : (long long)arg);
    }
    put(out, "\n");
  }
  for (vec_each(i, &y->escapes)) put(out, "escape %u\n", y->escapes.at[i]);
}

void alias_dump(const Alias *a, Bytes *out) {
  dump_objects(a, out);
  dump_constraints(a, out);
  for (uint32_t n = 0; n < a->sys->nodes; ++n) {
    put(out, "node");
    for (set_each(at, solution_set(a->sol, n))) {
      Spot s = spots_at(a->sys->spots, at.id);
      put(out, " %u,%lld,%lld,%lld", s.object, (long long)s.first, (long long)s.stride, (long long)s.end);
    }
    put(out, "\n");
  }
  for (uint32_t o = 0; o < a->sol->objects; ++o)
    if (a->sol->escaped[o]) put(out, "gone %u\n", o);
}
