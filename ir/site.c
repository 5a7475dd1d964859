#include "site.h"
#include <assert.h>
#include "call.h"
#include "core/core.h"
#include "each.h"

typedef struct {
  LLVMValueRef function;
  uint32_t first, count;
} Owner;

typedef struct {
  LLVMValueRef call;
  uint32_t owner;
} Site;

struct Sites {
  Vec(Owner) owners;  // those with a body, by the id of their name
  Vec(Site) sites;
  Intern *names;
  Map *owner_of, *id_of;
};

static void add_owner(Sites *s, LLVMValueRef f, const char *name, size_t len) {
  uint32_t id = intern_id(s->names, name, len);
  assert(id == s->owners.len);  // no two functions share a name
  map_put(s->owner_of, map_key(f), s->owners.len);
  Owner o = {f, 0, 0};
  vec_push(&s->owners, o);
}

static void add_unnamed(Sites *s, LLVMValueRef f, unsigned *next) {
  char *name;
  while (name = mem_format("#%u", (*next)++), intern_find(s->names, name, strlen(name)) != INTERN_NONE)
    mem_free(name);  // somebody did name a function like that
  add_owner(s, f, name, strlen(name));
  mem_free(name);
}

static void add_owners(Sites *s, LLVMModuleRef m) {
  size_t len;
  unsigned next = 0;
  for (all_functions(f, m)) {
    const char *name = LLVMGetValueName2(f, &len);
    if (len && LLVMCountBasicBlocks(f)) add_owner(s, f, name, len);
  }
  for (all_functions(f, m))
    if (!(LLVMGetValueName2(f, &len), len) && LLVMCountBasicBlocks(f)) add_unnamed(s, f, &next);
}

static void add_calls(Sites *s, LLVMValueRef f) {
  uint64_t owner;
  if (!map_get(s->owner_of, map_key(f), &owner)) return;
  s->owners.at[owner].first = (uint32_t)s->sites.len;
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (call_is(i) && !call_is_debug(i)) {
        map_put(s->id_of, map_key(i), s->sites.len);
        Site site = {i, (uint32_t)owner};
        vec_push(&s->sites, site);
      }
  s->owners.at[owner].count = (uint32_t)s->sites.len - s->owners.at[owner].first;
}

Sites *sites_new(LLVMModuleRef m) {
  Sites *s = mem_alloc(sizeof *s);
  s->names = intern_new();
  s->owner_of = map_new();
  s->id_of = map_new();
  add_owners(s, m);
  for (all_functions(f, m)) add_calls(s, f);
  assert(s->sites.len < SITE_NONE);
  CHECKED(sites_check(s));
  return s;
}

void sites_free(Sites *s) {
  if (!s) return;
  vec_free(&s->owners);
  vec_free(&s->sites);
  intern_free(s->names);
  map_free(s->owner_of);
  map_free(s->id_of);
  mem_free(s);
}

uint32_t sites_count(const Sites *s) {
  return (uint32_t)s->sites.len;
}
LLVMValueRef sites_call(const Sites *s, uint32_t id) {
  assert(id < s->sites.len);
  return s->sites.at[id].call;
}
LLVMValueRef sites_function(const Sites *s, uint32_t id) {
  assert(id < s->sites.len);
  return s->owners.at[s->sites.at[id].owner].function;
}
uint32_t sites_ordinal(const Sites *s, uint32_t id) {
  assert(id < s->sites.len);
  return id - s->owners.at[s->sites.at[id].owner].first;
}
uint32_t sites_id(const Sites *s, LLVMValueRef call) {
  return (uint32_t)map_or(s->id_of, map_key(call), SITE_NONE);
}

uint32_t sites_of(const Sites *s, LLVMValueRef function, uint32_t *first) {
  uint64_t owner;
  if (!map_get(s->owner_of, map_key(function), &owner)) return 0;
  *first = s->owners.at[owner].first;
  return s->owners.at[owner].count;
}

char *sites_name(const Sites *s, uint32_t id) {
  assert(id < s->sites.len);
  return mem_format("%s#%u", intern_text(s->names, s->sites.at[id].owner), sites_ordinal(s, id));
}

uint32_t sites_find(const Sites *s, const char *name, size_t len) {
  uint32_t ordinal;
  size_t end = place_split(name, len, '#', &ordinal);
  if (!end) return SITE_NONE;
  uint32_t owner = intern_find(s->names, name, end);
  if (owner == INTERN_NONE || ordinal >= s->owners.at[owner].count) return SITE_NONE;
  return s->owners.at[owner].first + ordinal;
}

static void check_owner(const Sites *s, size_t i) {
  const Owner *o = &s->owners.at[i];
  assert(map_or(s->owner_of, map_key(o->function), SITE_NONE) == i);
  assert(o->first <= s->sites.len && o->count <= s->sites.len - o->first);
  for (uint32_t k = 0; k < o->count; ++k) assert(s->sites.at[o->first + k].owner == i);
}

void sites_check(const Sites *s) {
  size_t owned = 0;
  assert(intern_count(s->names) == s->owners.len);
  assert(map_count(s->owner_of) == s->owners.len);
  assert(map_count(s->id_of) == s->sites.len);
  for (vec_each(i, &s->owners)) {
    check_owner(s, i);
    owned += s->owners.at[i].count;
  }
  assert(owned == s->sites.len);
  for (vec_each(i, &s->sites)) assert(sites_id(s, s->sites.at[i].call) == i);
}
