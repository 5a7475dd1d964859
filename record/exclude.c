// Objects, by name or else each of a schedule, and the sites of their operations are joined into groups; a
// group is left out as a whole. The busiest comes first, and after each that is left out all others are
// looked at again: what is locked inside may have been an event before.
//
// Objects without a name, which stand on the heap or a stack, are known by where they are locked. So a group
// is what its sites say: whatever another run locks there belongs to it.
#include "exclude.h"
#include <assert.h>
#include <stdlib.h>
#include "sigma/sigma.h"
#include "section.h"

typedef struct {
  uint32_t parent;
  uint32_t name;  // of an object; SIGMA_NONE: a site, or an object without a name
  uint64_t operations;
  const char *never;  // of a root: why it cannot be left out
  uint8_t family;     // what is locked there, if anything is
  bool out, wanted, old;
} Node;

typedef struct {
  Sigma *s;
  const ImportNames *n;
  Diags *diags;
  Vec(Node) nodes;        // sites of Σ first
  uint32_t others;        // what is neither mutex nor spin lock
  Map *node_of;           // by name
  Map *first_of;          // by schedule: the nodes of its objects, for those without a name
  uint32_t *module_site;  // by site of Σ
  bool *ordinary, *used;  // by site of the module
  Maysync *sync;          // without those
} Excluder;

static bool excludable(uint8_t family) {
  return family == SYNC_MUTEX || family == SYNC_SPIN;
}

static uint32_t root_of(Excluder *k, uint32_t node) {
  assert(node < k->nodes.len);
  while (k->nodes.at[node].parent != node)
    node = k->nodes.at[node].parent = k->nodes.at[k->nodes.at[node].parent].parent;
  return node;
}

static void join(Excluder *k, uint32_t a, uint32_t b) {
  Node *to = &k->nodes.at[root_of(k, a)], *from = &k->nodes.at[root_of(k, b)];
  if (to == from) return;
  from->parent = to->parent;
  to->operations += from->operations;
  to->out |= from->out, to->wanted |= from->wanted, to->old |= from->old;
  if (!to->never) to->never = from->never;
}

static uint32_t add_node(Excluder *k, uint32_t name) {
  Node n = {.parent = (uint32_t)k->nodes.len, .name = name};
  vec_push(&k->nodes, n);
  return n.parent;
}

static uint32_t node_named(Excluder *k, uint32_t name) {
  uint64_t known;
  if (map_get(k->node_of, name, &known)) return (uint32_t)known;
  uint32_t node = add_node(k, name);
  map_put(k->node_of, name, node);
  return node;
}

static uint32_t node_of_object(Excluder *k, const Schedule *c, uint32_t object) {
  const SigmaObject *o = &c->objects.at[object];
  if (!excludable(o->family)) return k->others;
  if (o->name != SIGMA_NONE) return node_named(k, o->name);
  uint64_t first = map_or(k->first_of, map_key(c), SIGMA_NONE);
  assert(first != SIGMA_NONE && first > k->others);
  return (uint32_t)first + object;
}

// Of a line that excludes: an object's name, or that of a site where it is locked.
static uint32_t node_wanted(Excluder *k, uint32_t name) {
  uint64_t site;
  bool lock = map_get(k->s->site_of_name, name, &site) && k->s->sites.at[site].kind == SYNC_LOCK;
  return lock ? (uint32_t)site : node_named(k, name);
}

static void never(Excluder *k, uint32_t node, const char *why) {
  Node *root = &k->nodes.at[root_of(k, node)];
  if (!root->never) root->never = why;
}

// What the Σ says of a place, which a person may have edited, or what was recorded there.
static bool is_operation(const Excluder *k, uint32_t site, int kind) {
  uint32_t there = k->module_site[site];
  const Sync *op = there == SITE_NONE ? NULL : maysync_operation(k->n->sync, there);
  return op && (int)op->kind == kind && k->s->sites.at[site].kind == kind;
}

static const char *unfit(const Excluder *k, const Schedule *c, const Event *e) {
  const SigmaSite *site = &k->s->sites.at[e->site];
  const Sync *op =
      k->module_site[e->site] == SITE_NONE ? NULL : maysync_operation(k->n->sync, k->module_site[e->site]);
  if (!excludable(c->objects.at[e->object].family)) return "only mutexes and spin locks can be excluded";
  if (e->kind != SYNC_LOCK && e->kind != SYNC_UNLOCK) return "it has operations that every schedule needs";
  if (e->outcome != SYNC_OK) return "an operation on it failed";
  if (site->kind == EVENT_CALL || site->derived || !op) return "it is used through a function pointer";
  if (!is_operation(k, e->site, e->kind)) return "one of its sites performs another operation";
  if (op->waiting == SYNC_TRY || op->waiting == SYNC_TIMED)
    return "it is locked with trylock, whose result is an event";
  return NULL;
}

static void gather(Excluder *k, const Schedule *c) {
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    if (e->site != SIGMA_NONE && k->module_site[e->site] != SITE_NONE)
      k->used[k->module_site[e->site]] = true;
    if (e->object == SIGMA_NONE) continue;
    uint32_t node = node_of_object(k, c, e->object);
    if (e->kind == SYNC_WAIT) never(k, node_of_object(k, c, e->other), "a condition wait releases it");
    const char *why = unfit(k, c, e);
    if (why) never(k, node, why);
    if (!excludable(c->objects.at[e->object].family)) continue;
    join(k, node, e->site);
    ++k->nodes.at[root_of(k, node)].operations;
    k->nodes.at[node].family = k->nodes.at[e->site].family = c->objects.at[e->object].family;
  }
}

// Every node leads to a root; sites come first, and nothing that has to stay is out.
__attribute__((unused)) static void excluder_check(const Excluder *k) {
  size_t n = k->nodes.len;
  bool *leads = mem_array(n + 1, sizeof *leads);
  assert(k->others == k->s->sites.len && k->others < n);
  for (size_t i = 0; i < n; ++i) {
    size_t to = i, steps = 0;
    while (!leads[to] && k->nodes.at[to].parent != to) {
      assert(k->nodes.at[to].parent < n && steps < n);
      to = k->nodes.at[to].parent, ++steps;
    }
    for (size_t at = i; at != to; at = k->nodes.at[at].parent) leads[at] = true;
    leads[to] = true;
    const Node *node = &k->nodes.at[i];
    assert(!node->out || !node->never || node->parent != i);
    assert(node->name == SIGMA_NONE || map_or(k->node_of, node->name, SIGMA_NONE) == i);
    assert(node->name == SIGMA_NONE || i > k->others);
    assert(!node->family || excludable(node->family));
  }
  mem_free(leads);
}

static void never_other_operations(Excluder *k, uint32_t node) {
  bool known = node < k->s->sites.len && k->module_site[node] != SITE_NONE;
  if (known && !is_operation(k, node, k->s->sites.at[node].kind))
    never(k, node, "one of its sites is another operation in the module");
}

static void start(Excluder *k) {
  Sigma *s = k->s;
  uint32_t sites = sites_count(k->n->sites);
  k->node_of = map_new(), k->first_of = map_new();
  k->module_site = mem_array(s->sites.len + 1, sizeof *k->module_site);
  k->ordinary = mem_array(sites + 1, 1), k->used = mem_array(sites + 1, 1);
  for (vec_each(i, &s->sites)) {
    const char *name = sigma_text(s, s->sites.at[i].name);
    k->module_site[i] = sites_find(k->n->sites, name, strlen(name));
    add_node(k, SIGMA_NONE);
  }
  k->others = add_node(k, SIGMA_NONE);
  k->nodes.at[k->others].never = "only mutexes and spin locks can be excluded";
  for (vec_each(i, &s->schedules)) {
    map_put(k->first_of, map_key(s->schedules.at[i]), k->nodes.len);
    for (vec_each(o, &s->schedules.at[i]->objects)) add_node(k, SIGMA_NONE);
  }
  uint32_t before = SIGMA_NONE;
  for (vec_each(i, &s->exclusions)) {
    uint32_t node = node_wanted(k, s->exclusions.at[i].name);
    k->nodes.at[node].old = true;
    never_other_operations(k, node);
    if (before != SIGMA_NONE) join(k, before, node);
    before = node;
  }
  for (vec_each(i, &s->sites)) {
    if (!s->sites.at[i].excluded || before == SIGMA_NONE) continue;
    join(k, before, (uint32_t)i);
    never_other_operations(k, (uint32_t)i);
  }
  for (vec_each(i, &s->schedules)) gather(k, s->schedules.at[i]);
  CHECKED(excluder_check(k));
}

static void stop(Excluder *k) {
  vec_free(&k->nodes);
  map_free(k->node_of), map_free(k->first_of);
  maysync_free(k->sync);
  mem_free(k->module_site), mem_free(k->ordinary), mem_free(k->used);
}

static bool is_out(Excluder *k, const Schedule *c, uint32_t object) {
  if (object == SIGMA_NONE || !excludable(c->objects.at[object].family)) return false;
  return k->nodes.at[root_of(k, node_of_object(k, c, object))].out;
}

// With what is left out now.
static bool stays(Excluder *k, const Schedule *c, const Event *e) {
  if (is_out(k, c, e->object)) return false;
  if (e->kind == EVENT_CALL || e->kind == EVENT_RET || e->kind == EVENT_UNWIND) {
    uint32_t site = k->module_site[e->site];
    return site == SITE_NONE || maysync_derived(k->sync, site);
  }
  if (e->kind != EVENT_CALLBACK) return true;
  LLVMModuleRef m = LLVMGetGlobalParent(callgraph_function(k->n->graph, 0));
  LLVMValueRef f = LLVMGetNamedFunction(m, sigma_text(k->s, e->other));
  uint32_t id = f ? callgraph_id(k->n->graph, f) : CALLGRAPH_NONE;
  return id == CALLGRAPH_NONE || maysync_function(k->sync, id);
}

// While one of the group is held, no other event. Its own operations are out already.
static bool sections_are_empty(Excluder *k, const Schedule *c, uint32_t root) {
  uint32_t *held = mem_array(c->threads, sizeof *held);
  bool ok = true;
  for (size_t i = 0; ok && i < c->events.len; ++i) {
    const Event *e = &c->events.at[i];
    bool own = e->object != SIGMA_NONE && excludable(c->objects.at[e->object].family) &&
               root_of(k, node_of_object(k, c, e->object)) == root;
    if (own)
      held[e->thread] += e->kind == SYNC_LOCK ? 1 : -1u;
    else if (held[e->thread])
      ok = !stays(k, c, e);
  }
  mem_free(held);
  return ok;
}

static void refresh(Excluder *k) {
  maysync_free(k->sync);
  k->sync = maysync_new_without(k->n->graph, k->ordinary);
}

// Operations on constants are known to be of the group though no schedule has used them.
static void mark_sites(Excluder *k, uint32_t root, bool out) {
  for (vec_each(i, &k->s->sites))
    if (root_of(k, (uint32_t)i) == root && k->module_site[i] != SITE_NONE)
      k->ordinary[k->module_site[i]] = out;
}

static bool sections_are_quick(Excluder *k, uint32_t root, char **why) {
  SectionOf of = {k->n->sites, k->n->graph, k->sync, k->ordinary, k->used};
  for (vec_each(i, &k->s->sites)) {
    LLVMValueRef slow;
    uint32_t site = k->module_site[i];
    if (root_of(k, (uint32_t)i) != root || site == SITE_NONE || k->s->sites.at[i].kind != SYNC_LOCK) continue;
    if (section_is_quick(&of, site, &slow)) continue;
    Place w = where(slow);
    LLVMValueRef f = call_function(slow);
    size_t len;
    *why = mem_format("%s, which may block, is called while it is held (%s:%u)",
                      f ? LLVMGetValueName2(f, &len) : "something", w.file ? w.file : "?", w.line);
    return false;
  }
  return true;
}

// NULL: the group is out now. Else why not; the caller's.
static char *try_group(Excluder *k, uint32_t root) {
  assert(root_of(k, root) == root);
  Node *group = &k->nodes.at[root];
  if (group->never) return mem_string(group->never);
  size_t sites = sites_count(k->n->sites);
  bool *before = mem_array(sites + 1, 1);
  memcpy(before, k->ordinary, sites);
  char *why = NULL;
  mark_sites(k, root, true);
  group->out = true;
  refresh(k);
  if (sections_are_quick(k, root, &why)) {
    refresh(k);  // with unlocks that were found
    for (vec_each(i, &k->s->schedules))
      if (!why && !sections_are_empty(k, k->s->schedules.at[i], root))
        why = mem_format("there are events while it is held (schedule %zu)", i);
  }
  if (why) {
    group->out = false;
    memcpy(k->ordinary, before, sites);
    refresh(k);
  }
  mem_free(before);
  return why;
}

static size_t events_left(Excluder *k) {
  size_t most = 0;
  for (vec_each(i, &k->s->schedules)) {
    const Schedule *c = k->s->schedules.at[i];
    size_t n = 0;
    for (vec_each(e, &c->events)) n += stays(k, c, &c->events.at[e]);
    if (n > most) most = n;
  }
  return most;
}

static bool wants(Excluder *k, uint32_t i, const Exclude *e) {
  const Node *n = &k->nodes.at[i];
  return n->parent == i && !n->out &&
         (n->old || (n->wanted && n->operations) || (e->most != SIGMA_NONE && !n->never && n->operations));
}

// The busiest that has not been tried since the last success; SIGMA_NONE: none.
static uint32_t next_group(Excluder *k, const Exclude *e, const bool *tried) {
  uint32_t best = SIGMA_NONE;
  for (uint32_t i = 0; i < k->nodes.len; ++i)
    if (!tried[i] && wants(k, i, e) &&
        (best == SIGMA_NONE || k->nodes.at[i].operations > k->nodes.at[best].operations))
      best = i;
  return best;
}

static void choose(Excluder *k, const Exclude *e) {
  bool *tried = mem_array(k->nodes.len, 1);
  refresh(k);
  for (uint32_t g; (g = next_group(k, e, tried)) != SIGMA_NONE;) {
    bool named = k->nodes.at[g].wanted || k->nodes.at[g].old;
    tried[g] = true;
    if (!named && events_left(k) <= e->most) continue;
    char *why = try_group(k, g);
    if (!why) memset(tried, 0, k->nodes.len);
    mem_free(why);
  }
  mem_free(tried);
}

static void strip(Excluder *k, Schedule *c) {
  size_t n = 0;
  for (vec_each(i, &c->events)) {
    const Event e = c->events.at[i];
    if (stays(k, c, &e))
      c->events.at[n++] = e;
    else
      c->left_out += e.object != SIGMA_NONE;
  }
  c->events.len = n;
}

static bool is_excluded(const Sigma *s, uint32_t name) {
  for (vec_each(i, &s->exclusions))
    if (s->exclusions.at[i].name == name) return true;
  return false;
}

static void note_sites(Excluder *k) {
  for (uint32_t site = 0; site < sites_count(k->n->sites); ++site) {
    if (!k->ordinary[site]) continue;
    char *name = sites_name(k->n->sites, site);
    Place w = where(sites_call(k->n->sites, site));
    int kind = (int)maysync_operation(k->n->sync, site)->kind;
    uint32_t id = sigma_add_site(k->s, name, kind);
    SigmaSite *there = &k->s->sites.at[id];
    there->kind = (uint8_t)kind, there->derived = false;  // no event of it is left, whatever was said there
    there->excluded = true;
    if (w.file && w.line)
      there->file = sigma_intern(k->s, w.file), there->line = w.line, there->column = w.column;
    mem_free(name);
  }
}

// Objects without operations are not in the file; those that are left out need no line there either.
static void drop_objects(Excluder *k, Schedule *c) {
  uint32_t *to = mem_array(c->objects.len + 1, sizeof *to), n = 0;
  for (uint32_t i = 0; i < c->objects.len; ++i) {
    to[i] = is_out(k, c, i) ? SIGMA_NONE : n;
    if (to[i] != SIGMA_NONE) c->objects.at[n++] = c->objects.at[i];
  }
  for (vec_each(i, &c->events)) {
    Event *e = &c->events.at[i];
    assert(e->object == SIGMA_NONE || to[e->object] != SIGMA_NONE);
    assert(!(event_shape(e->kind) & EVENT_HAS_MUTEX) || to[e->other] != SIGMA_NONE);
    if (e->object != SIGMA_NONE) e->object = to[e->object];
    if (event_shape(e->kind) & EVENT_HAS_MUTEX) e->other = to[e->other];
  }
  c->objects.len = n;
  mem_free(to);
}

// Of calls that were in schedules only because of what is left out now.
static void drop_sites(Sigma *s) {
  uint32_t *to = mem_array(s->sites.len + 1, sizeof *to), n = 0;
  for (vec_each(i, &s->schedules))
    for (vec_each(e, &s->schedules.at[i]->events)) {
      uint32_t site = s->schedules.at[i]->events.at[e].site;
      if (site != SIGMA_NONE) to[site] = 1;
    }
  for (vec_each(i, &s->sites))
    if (to[i] || s->sites.at[i].excluded) to[i] = n, s->sites.at[n++] = s->sites.at[i];
  s->sites.len = n;
  map_free(s->site_of_name);
  s->site_of_name = map_new();
  for (vec_each(i, &s->sites)) map_put(s->site_of_name, s->sites.at[i].name, i);
  for (vec_each(i, &s->schedules))
    for (vec_each(e, &s->schedules.at[i]->events)) {
      uint32_t *site = &s->schedules.at[i]->events.at[e].site;
      if (*site != SIGMA_NONE) *site = to[*site];
    }
  mem_free(to);
}

static void say_excluded(Excluder *k, bool *said, uint32_t node, uint32_t name) {
  uint32_t root = root_of(k, node);
  if (!k->nodes.at[root].out) return;
  if (!is_excluded(k->s, name))
    vec_push(&k->s->exclusions, ((SigmaExclusion){k->nodes.at[node].family, name}));
  said[root] = true;
}

// By the names of objects; a group that has none by the first site that locks.
static void say_all_excluded(Excluder *k) {
  bool *said = mem_array(k->nodes.len, 1);
  for (vec_each(i, &k->s->exclusions))
    say_excluded(k, said, node_wanted(k, k->s->exclusions.at[i].name), k->s->exclusions.at[i].name);
  for (vec_each(i, &k->nodes))
    if (k->nodes.at[i].name != SIGMA_NONE) say_excluded(k, said, (uint32_t)i, k->nodes.at[i].name);
  for (vec_each(i, &k->s->sites))
    if (!said[root_of(k, (uint32_t)i)] && k->s->sites.at[i].kind == SYNC_LOCK)
      say_excluded(k, said, (uint32_t)i, k->s->sites.at[i].name);
  mem_free(said);
}

static void apply(Excluder *k) {
  Sigma *s = k->s;
  say_all_excluded(k);
  for (vec_each(i, &s->schedules)) {
    strip(k, s->schedules.at[i]);
    drop_objects(k, s->schedules.at[i]);
  }
  note_sites(k);
  drop_sites(s);
}

// Of what was asked for and is not out. False: of what was out before.
static bool explain(Excluder *k, const Exclude *e) {
  bool ok = true;
  for (vec_each(i, &e->wanted)) {
    uint32_t node = node_wanted(k, e->wanted.at[i].name), root = root_of(k, node);
    if (k->nodes.at[root].out) continue;
    const char *name = sigma_text(k->s, e->wanted.at[i].name);
    bool there = k->nodes.at[root].operations && k->nodes.at[node].family == e->wanted.at[i].family;
    char *why = there ? try_group(k, root) : mem_string("it is in no schedule");
    diag_warning(k->diags, "%s %s is not excluded: %s", family_word((SyncFamily)e->wanted.at[i].family), name,
                 why ? why : "?");
    mem_free(why);
  }
  for (vec_each(i, &k->s->exclusions)) {
    uint32_t root = root_of(k, node_wanted(k, k->s->exclusions.at[i].name));
    if (k->nodes.at[root].out || !ok) continue;
    char *why = try_group(k, root);
    diag_error(k->diags, "%s %s is excluded, but in this run %s",
               family_word((SyncFamily)k->s->exclusions.at[i].family),
               sigma_text(k->s, k->s->exclusions.at[i].name), why ? why : "?");
    mem_free(why);
    ok = false;
  }
  return ok;
}

bool sigma_exclude(Sigma *s, const ImportNames *n, const Exclude *e, Diags *diags) {
  assert(callgraph_sites(n->graph) == n->sites);
  if (!s->exclusions.len && !e->wanted.len && e->most == SIGMA_NONE) return true;
  CHECKED(sigma_assert_whole(s));
  Excluder k = {.s = s, .n = n, .diags = diags};
  start(&k);
  for (vec_each(i, &e->wanted)) {
    assert(excludable(e->wanted.at[i].family));
    uint32_t node = node_wanted(&k, e->wanted.at[i].name);
    k.nodes.at[root_of(&k, node)].wanted |= k.nodes.at[node].family == e->wanted.at[i].family;
  }
  choose(&k, e);
  bool ok = explain(&k, e);
  CHECKED(excluder_check(&k));
  if (ok) apply(&k);
  stop(&k);
  CHECKED(sigma_assert_whole(s));
  return ok;
}

static bool read_auto(const char *from, Exclude *out) {
  if (strncmp(from, "auto", 4) || (from[4] && from[4] != ':')) return false;
  char *end = "";
  unsigned long most = from[4] ? strtoul(from + 5, &end, 10) : LIMIT_EXCLUDE_AUTO;
  if (*end || (from[4] && !from[5]) || most >= SIGMA_NONE) return false;
  out->most = (uint32_t)most;
  return true;
}

static bool read_line(Sigma *s, Text *text, Word *w, Exclude *out) {
  bool spin = word_is(w, family_word(SYNC_SPIN));
  if ((!spin && !word_is(w, family_word(SYNC_MUTEX))) || text_next(text, w) != TEXT_WORD || !w->len)
    return false;
  SigmaExclusion x = {spin ? SYNC_SPIN : SYNC_MUTEX, intern_id(s->texts, w->at, w->len)};
  vec_push(&out->wanted, x);
  return text_next(text, w) == TEXT_END;
}

bool exclude_read(Sigma *s, const char *from, Exclude *out, Diags *diags) {
  *out = (Exclude){.most = SIGMA_NONE};
  if (!from || read_auto(from, out)) return true;
  Bytes file = {0};
  Text text = {0};
  int err = file_read(from, &file);
  if (err) diag_error(diags, "--exclude %s: %s (give a file, auto, or auto:N)", from, strerror(err));
  bool ok = !err;
  if (ok && text_bad(span_of(file.at, file.len)) < file.len)
    ok = (diag_error(diags, "--exclude %s: not a text file", from), false);
  unsigned line = 0;
  for (size_t at = 0; ok && at < file.len; ++line) {
    const unsigned char *end = memchr(file.at + at, '\n', file.len - at);
    size_t len = end ? (size_t)(end - file.at) - at : file.len - at;
    Word w;
    text_start(&text, span_of(file.at + at, len));
    TextResult r = text_next(&text, &w);
    if (r != TEXT_END && (r != TEXT_WORD || !read_line(s, &text, &w, out))) {
      diag(diags, DIAG_ERROR, (Place){from, line + 1, 0}, "each line must be `mutex NAME` or `spin NAME`");
      ok = false;
    }
    at += len + 1;
  }
  text_free(&text);
  vec_free(&file);
  return ok;
}

void exclude_free(Exclude *e) {
  vec_free(&e->wanted);
}
