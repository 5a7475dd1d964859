#include "solving.h"
#include <assert.h>

Solving solving_new(System *sys) {
  size_t objects = sys->objects.len;
  Solving s = {.sys = sys,
               .r = mem_alloc(sizeof *s.r),
               .fits = map_new(),
               .stored.nodes = map_new(),
               .loaded.nodes = map_new(),
               .ends = map_new(),
               .whole = map_new()};
  s.move_of = mem_array(objects, sizeof *s.move_of);
  for (vec_each(i, &sys->moves)) s.move_of[sys->moves.at[i].object] = (uint32_t)i;
  s.merged = mem_array(objects, sizeof *s.merged);
  s.places = mem_array(objects, sizeof *s.places);
  s.spots_of = mem_array(objects, sizeof *s.spots_of);
  s.memory = mem_array(objects, sizeof *s.memory);
  s.r->escaped = mem_array(objects, sizeof *s.r->escaped);
  s.r->stored = mem_array(objects, sizeof *s.r->stored);
  return s;
}

void solving_free(Solving *s) {
  vec_free(&s->nodes);
  vec_free(&s->copies);
  vec_free(&s->fresh);
  vec_free(&s->same);
  vec_free(&s->rank);
  vec_free(&s->leaks);
  vec_free(&s->sinks);
  vec_free(&s->to_escape);
  vec_free(&s->at_rank);
  vec_free(&s->dirty);
  mem_free(s->memory);
  map_free(s->fits);
  map_free(s->stored.nodes), map_free(s->loaded.nodes);
  vec_free(&s->stored.latest), vec_free(&s->loaded.latest);
  map_free(s->ends), map_free(s->whole);
  mem_free(s->move_of);
  for (vec_each(i, &s->sys->objects)) vec_free(&s->spots_of[i]);
  mem_free(s->spots_of);
  vec_free(&s->hidden);
  mem_free(s->merged);
  mem_free(s->places);
  set_free(&s->pointed);
  vec_free(&s->to_merge);
  vec_free(&s->born);
}

static void check_nodes(const Solving *s) {
  size_t n = s->nodes.len, own = 0;
  assert(s->copies.len == n && s->sets.len == n && s->fresh.len == n);
  assert(s->same.len == n && s->rank.len == n && s->leaks.len == n && n >= s->sys->nodes);
  for (size_t i = 0; i < n; ++i) {
    assert(s->same.at[i] < n);
    set_check(&s->sets.at[i]);
    set_check(&s->fresh.at[i]);
    for (vec_each(k, &s->copies.at[i].next)) assert(s->copies.at[i].next.at[k] < n);
    if (s->same.at[i] == i) {
      uint32_t rank = s->rank.at[i];
      ++own;
      assert(rank < s->at_rank.len && s->at_rank.at[rank] == i);
      assert(!s->fresh.at[i].len || s->dirty.at[rank / 64] >> rank % 64 & 1);
    } else {
      assert(!s->sets.at[i].len && !s->fresh.at[i].len && !s->copies.at[i].next.len);
    }
  }
  assert(own == s->at_rank.len && own <= s->dirty.len * 64);
}

static void check_spots(const Solving *s) {
  size_t count = 0, places = 0;
  assert(s->known == spots_count(s->sys->spots) && s->known <= s->hidden.len * 64);
  for (vec_each(o, &s->sys->objects)) {
    count += s->spots_of[o].len;
    places += s->places[o];
    for (vec_each(i, &s->spots_of[o])) {
      uint32_t spot = s->spots_of[o].at[i];
      assert(spot < s->known && spots_at(s->sys->spots, spot).object == o);
      assert(!i || s->spots_of[o].at[i - 1] < spot);
      assert((s->hidden.at[spot / 64] >> spot % 64 & 1) == s->r->escaped[o]);
    }
  }
  assert(count == s->known && places == set_count(&s->pointed));
}

static void check_cells(const Solving *s, const CellTable *table, const Cells *cells, uint32_t object) {
  for (vec_each(i, cells)) {
    const Cell *c = &cells->at[i];
    assert(c->spot < s->known && spots_at(s->sys->spots, c->spot).object == object);
    assert(c->node && c->node < s->nodes.len);
    assert(map_or(table->nodes, cell_key(c->spot, c->bytes), NODE_NONE) == c->node);
  }
}

void solving_check(const Solving *s) {
  check_nodes(s);
  check_spots(s);
  for (uint32_t o = 0; o < s->sys->objects.len; ++o) {
    check_cells(s, &s->stored, &s->r->stored[o], o);
    check_cells(s, &s->loaded, &s->memory[o].loaded, o);
  }
  assert(s->sinks.len == s->sys->moves.len);
  for (vec_each(i, &s->to_escape)) assert(s->to_escape.at[i] < s->sys->objects.len);
  for (vec_each(i, &s->to_merge)) assert(s->merged[s->to_merge.at[i]]);
}
