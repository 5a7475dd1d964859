#include "solving.h"

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
