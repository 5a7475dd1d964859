// A schedule as the bytes that a rolled program reads (rt/roll.h has the format, and its reader).
//
// Two passes over the events: the first finds out which contexts there are and how many events each thread
// has published at each event, the second writes the streams. Events that are not published have no place in
// them; what they would wait for goes to the next event of their thread.
#include <assert.h>
#include "specializer.h"

typedef Vec(RtWait) Waits;
typedef Vec(uint32_t) Numbers;
typedef struct {
  Bytes bytes;
  RolledGuess guess;
  uint32_t run;  // events that all guesses were right of, not written yet
  Waits carried;
  Numbers hashes;  // of the calls that are open
  RtRolledThread head;
} Stream;

typedef struct {
  const Module *k;
  const Sigma *sigma;
  const Schedule *c;
  Order *order;
  uint32_t id, most;
  uint32_t *published;  // by event: of its thread, itself included
  uint32_t *context;    // by event
  Map *stacked;         // by context without a stack, and its stack
  uint32_t *site;       // by site of the sigma: of the module
  uint32_t *round;      // by event, of barriers
  uint32_t *rounds;     // by object
  Stream *streams;      // by thread
  Vec(RtRolledContext) contexts;
  Map *context_of;
  Waits waits;
  Bytes texts;
  Intern *words;
  Vec(uint32_t) text_at;  // by word
} Roller;

static uint32_t text(Roller *r, const char *s) {
  if (!s) return RT_NONE32;
  char *plain = shown(s);  // messages go to a terminal
  uint32_t id = intern_id(r->words, plain, strlen(plain));
  if (id == r->text_at.len) {
    vec_push(&r->text_at, (uint32_t)r->texts.len);
    vec_append(&r->texts, (const unsigned char *)plain, strlen(plain) + 1);
  }
  mem_free(plain);
  return r->text_at.at[id];
}

static uint32_t symbol(Roller *r, const char *s) {
  char *name = s ? where_name(s) : NULL;
  uint32_t at = text(r, name);
  mem_free(name);
  return at;
}

// -- contexts

static RtRolledShape shape_of(const Event *e) {
  switch (e->kind) {
    case SYNC_CREATE:
    case SYNC_JOIN:
    case SYNC_DETACH:
    case SYNC_CANCEL:
      return RT_ROLLED_THREAD;
    case SYNC_WAIT:
      return e->phase == EVENT_DEPART ? RT_ROLLED_WAKE : RT_ROLLED_WAIT;
    case SYNC_BARRIER:
      return e->phase == EVENT_DEPART ? RT_ROLLED_DEPART : RT_ROLLED_ARRIVE;
    case SYNC_ONCE:
      return RT_ROLLED_ONCE;
    default:
      return RT_ROLLED_PLAIN;
  }
}

static RtRolledContext new_context(Roller *r, const Event *e) {
  const SigmaSite *s = e->site == SIGMA_NONE ? NULL : &r->sigma->sites.at[e->site];
  const char *file = s && s->file != SIGMA_NONE ? sigma_text(r->sigma, s->file) : NULL;
  char *function = NULL;
  if (s) {
    const char *name = sigma_text(r->sigma, s->name);
    function = mem_format("%.*s", (int)(strrchr(name, '#') - name), name);
  } else if (e->kind == SYNC_ENTER) {
    function = mem_string(sigma_text(r->sigma, e->other));
  }
  Bytes what = {0};
  event_word_print(e, &what);
  vec_push(&what, 0);
  RtRolledContext x = {.site = s ? r->site[e->site] : RT_NO_SITE, .function = symbol(r, function)};
  x.file = text(r, file), x.what = text(r, (char *)what.at);
  x.line = s ? s->line : 0, x.column = s ? s->column : 0, x.shape = shape_of(e);
  vec_free(&what);
  mem_free(function);
  return x;
}

// Entries are one for each function that they enter.
static uint32_t find_context(Roller *r, const Event *e, uint32_t stack) {
  uint32_t place = e->site != SIGMA_NONE ? e->site : e->kind == SYNC_ENTER ? e->other : 0;
  uint64_t key =
      (uint64_t)place << 32 | (uint64_t)(e->site == SIGMA_NONE) << 16 | (uint64_t)e->kind << 4 | e->phase;
  uint64_t plain, known;
  if (!map_get(r->context_of, key, &plain)) map_put(r->context_of, key, plain = map_count(r->context_of));
  key = plain << 32 | stack;
  if (map_get(r->stacked, key, &known)) return (uint32_t)known;
  map_put(r->stacked, key, r->contexts.len);
  vec_push(&r->contexts, new_context(r, e));
  vec_last(&r->contexts).stack = stack;
  return (uint32_t)(r->contexts.len - 1);
}

static void find_sites(Roller *r) {
  r->site = mem_array(r->sigma->sites.len + 1, sizeof *r->site);
  for (vec_each(i, &r->sigma->sites)) {
    const char *name = sigma_text(r->sigma, r->sigma->sites.at[i].name);
    r->site[i] = sites_find(r->k->sites, name, strlen(name));
  }
}

static bool is_published(const Event *e) {
  return e->kind < EVENT_CALL;
}

// Code that outside code calls is inside the call of that, which is open.
static uint32_t open_calls(Roller *r, EventStacks *stacks, uint32_t event) {
  const Event *e = &r->c->events.at[event];
  Numbers *hashes = &r->streams[e->thread].hashes;
  bool opens = stacks_pass(stacks, event).opens;
  size_t depth = stacks_depth(stacks, e->thread) - opens;
  assert(depth <= hashes->len);
  hashes->len = depth;
  uint32_t now = depth ? hashes->at[depth - 1] : 0;
  if (opens) vec_push(hashes, e->kind == EVENT_CALL ? rolled_called(now, r->site[e->site]) : now);
  return now;
}

static void find_contexts(Roller *r) {
  uint32_t *counts = mem_array(r->c->threads + 1, sizeof *counts);
  Map *round_of = map_new();
  EventStacks *stacks = stacks_new(r->c);
  for (vec_each(i, &r->c->events)) {
    const Event *e = &r->c->events.at[i];
    uint32_t stack = open_calls(r, stacks, (uint32_t)i);
    if (is_published(e)) ++counts[e->thread], r->context[i] = find_context(r, e, stack);
    r->published[i] = counts[e->thread];
    uint32_t generation = order_generation(r->order, (uint32_t)i);
    uint64_t round;
    if (generation == SIGMA_NONE) continue;
    if (!map_get(round_of, generation, &round)) map_put(round_of, generation, round = r->rounds[e->object]++);
    r->round[i] = (uint32_t)round;
  }
  for (uint32_t t = 0; t < r->c->threads; ++t) r->streams[t].head.events = counts[t];
  stacks_free(stacks);
  map_free(round_of);
  mem_free(counts);
}

// -- streams

static void put_number(Bytes *out, uint32_t n) {
  for (; n > 127; n >>= 7) vec_push(out, (unsigned char)(n | 128));
  vec_push(out, (unsigned char)n);
}
// Makes the guess what it should have been.
static void put_difference(Bytes *out, uint32_t *guess, uint32_t n) {
  uint32_t d = n - *guess;
  put_number(out, d << 1 ^ (0 - (d >> 31)));
  *guess = n;
}

static void end_run(Stream *s) {
  if (s->run) vec_push(&s->bytes, (unsigned char)(ROLLED_RUN | (s->run - 1)));
  s->run = 0;
}

// True: something has to be said of it.
static bool more(const Roller *r, const RolledEvent *e, RolledGuess *g, Bytes *out) {
  switch (r->contexts.at[e->context].shape) {
    case RT_ROLLED_WAIT:
      if (e->mutex == g->mutex) return false;
      put_difference(out, &g->mutex, e->mutex);
      return true;
    case RT_ROLLED_WAKE:
      if (e->waker == RT_NONE32) return false;
      put_number(out, e->waker), put_number(out, e->round);
      return true;
    case RT_ROLLED_ARRIVE: {
      bool wrong = e->round != g->round;
      if (wrong) put_difference(out, &g->round, e->round);
      ++g->round;
      return wrong;
    }
    default:
      return false;
  }
}

static void write_event(Roller *r, Stream *s, const RolledEvent *e, const RtWait *waits) {
  RolledGuess *g = &s->guess;
  Bytes rest = {0};
  unsigned head = 0;
  if (g->follows[g->context] != e->context) head |= ROLLED_CONTEXT, put_number(&rest, e->context);
  g->follows[g->context] = e->context, g->context = e->context;
  if (g->object != e->object) head |= ROLLED_OBJECT, put_difference(&rest, &g->object, e->object);
  uint32_t outcome = 0;
  if (e->outcome) head |= ROLLED_OUTCOME, put_difference(&rest, &outcome, (uint32_t)e->outcome);
  if (more(r, e, g, &rest)) head |= ROLLED_MORE;
  head += ROLLED_WAITS * (e->waits < ROLLED_MANY ? e->waits : ROLLED_MANY);
  if (e->waits >= ROLLED_MANY) put_number(&rest, e->waits);
  for (uint32_t i = 0; i < e->waits; ++i) {
    put_number(&rest, waits[i].thread);
    put_difference(&rest, &g->needs[waits[i].thread], waits[i].need);
  }
  if (head || s->run == ROLLED_RUN) end_run(s);
  if (!head) ++s->run;
  if (head) vec_push(&s->bytes, (unsigned char)head);
  vec_append(&s->bytes, rest.at, rest.len);
  vec_free(&rest);
}

static void carry(Waits *all, uint32_t thread, uint32_t need) {
  if (!need) return;
  for (vec_each(i, all))
    if (all->at[i].thread == thread) {
      if (all->at[i].need < need) all->at[i].need = need;
      return;
    }
  vec_push(all, ((RtWait){thread, need}));
}

// In total order each event waits for the one before it; last: that, or SIGMA_NONE.
static void carry_waits(Roller *r, uint32_t event, uint32_t last) {
  const Event *all = r->c->events.at;
  uint32_t thread = all[event].thread;
  const OrderWait *waits;
  if (r->c->order == SIGMA_TOTAL) {
    if (last != SIGMA_NONE && all[last].thread != thread)
      carry(&r->streams[thread].carried, all[last].thread, r->published[last]);
    return;
  }
  size_t n = order_waits(r->order, event, &waits);
  for (size_t i = 0; i < n; ++i)
    carry(&r->streams[thread].carried, all[waits[i].event].thread, r->published[waits[i].event]);
}

static RtRolledEdge edge(Roller *r, uint32_t event, const Waits *waits) {
  RtRolledEdge x = {.context = r->context[event], .first = (uint32_t)r->waits.len};
  x.waits = (uint32_t)waits->len, x.outcome = outcome_number(&r->c->events.at[event]);
  vec_append(&r->waits, waits->at, waits->len);
  return x;
}

static void write_published(Roller *r, uint32_t event) {
  const Event *e = &r->c->events.at[event];
  Stream *s = &r->streams[e->thread];
  bool thread = r->contexts.at[r->context[event]].shape == RT_ROLLED_THREAD;
  RolledEvent x = {.context = r->context[event], .outcome = outcome_number(e), .mutex = RT_NONE32};
  x.object = thread ? e->other : e->object, x.waker = RT_NONE32, x.round = r->round[event];
  if (e->kind == SYNC_WAIT) x.mutex = e->other;
  uint32_t waker = order_waker(r->order, event);
  if (waker != SIGMA_NONE) x.waker = r->c->events.at[waker].thread, x.round = r->published[waker];
  x.waits = (uint32_t)s->carried.len;
  if (e->kind == SYNC_ENTER) {
    s->head.enter = edge(r, event, &s->carried);
    s->head.routine = symbol(r, sigma_text(r->sigma, e->other));
  } else if (e->kind == SYNC_EXIT) {
    s->head.exit = edge(r, event, &s->carried);
  } else {
    if (x.waits > r->most) r->most = x.waits;
    write_event(r, s, &x, s->carried.at);
  }
  s->carried.len = 0;
}

static void write_streams(Roller *r) {
  uint32_t main = text(r, "main"), last = SIGMA_NONE;
  for (uint32_t t = 0; t < r->c->threads; ++t) {
    Stream *s = &r->streams[t];
    s->guess.follows = mem_array(r->contexts.len + 1, sizeof *s->guess.follows);
    s->guess.needs = mem_array(r->c->threads + 1, sizeof *s->guess.needs);
    s->head.routine = main, s->head.enter.context = s->head.exit.context = RT_NONE32;
  }
  for (uint32_t i = 0; i < r->c->events.len; ++i) {
    carry_waits(r, i, last);
    if (!is_published(&r->c->events.at[i])) continue;
    write_published(r, i);
    last = i;
  }
  for (uint32_t t = 0; t < r->c->threads; ++t) end_run(&r->streams[t]);
}

// -- the block

// Behind the last events of all threads on an object its address may be another's.
static void write_lives(Roller *r, RtRolledObject *out) {
  size_t n = r->c->objects.len;
  Waits *lasts = mem_array(n + 1, sizeof *lasts);
  Map *seen = map_new();
  for (uint32_t i = (uint32_t)r->c->events.len; i-- > 0;) {
    const Event *e = &r->c->events.at[i];
    uint32_t of[2] = {e->object, e->kind == SYNC_WAIT ? e->other : SIGMA_NONE};
    for (int j = 0; j < 2 && is_published(e); ++j) {
      uint64_t key = (uint64_t)of[j] << 32 | e->thread;
      if (of[j] == SIGMA_NONE || map_or(seen, key, 0)) continue;
      map_put(seen, key, 1);
      vec_push(&lasts[of[j]], ((RtWait){e->thread, r->published[i]}));
    }
  }
  for (uint32_t o = 0; o < n; ++o) {
    const SigmaObject *x = &r->c->objects.at[o];
    Bytes name = {0};
    object_words(r->sigma, r->c, o, &name);
    vec_push(&name, 0);
    out[o] =
        (RtRolledObject){.family = kind_of_family(x->family), .recursive = x->recursive, .robust = x->robust};
    out[o].amount = x->amount, out[o].rounds = r->rounds[o], out[o].name = text(r, (char *)name.at);
    out[o].first = (uint32_t)r->waits.len, out[o].lasts = (uint32_t)lasts[o].len;
    vec_append(&r->waits, lasts[o].at, lasts[o].len);
    vec_free(&name), vec_free(&lasts[o]);
  }
  map_free(seen);
  mem_free(lasts);
}

static void append(Bytes *out, const void *at, size_t size) {
  vec_append(out, (const unsigned char *)at, size);
}

static void write_block(Roller *r, Bytes *out) {
  RtRolledObject *objects = mem_array(r->c->objects.len + 1, sizeof *objects);
  write_lives(r, objects);
  RtRolled h = {
      .magic = RT_ROLLED_MAGIC, .version = RT_ROLLED_VERSION, .id = r->id, .threads = r->c->threads};
  for (uint32_t t = 0; t < r->c->threads; ++t) {
    r->streams[t].head.at = h.streams, r->streams[t].head.size = r->streams[t].bytes.len;
    h.streams += r->streams[t].bytes.len;
  }
  h.contexts = (uint32_t)r->contexts.len, h.objects = (uint32_t)r->c->objects.len;
  h.waits = (uint32_t)r->waits.len, h.texts = r->texts.len, h.most = r->most;
  h.end_thread = r->c->events.len ? vec_last(&r->c->events).thread : 0;
  h.sends = sends_signals(r->k), h.total = r->c->order == SIGMA_TOTAL, h.free = r->k->free;
  size_t begin = out->len;
  append(out, &h, sizeof h);
  for (uint32_t t = 0; t < h.threads; ++t) append(out, &r->streams[t].head, sizeof r->streams[t].head);
  append(out, r->contexts.at, r->contexts.len * sizeof *r->contexts.at);
  append(out, objects, h.objects * sizeof *objects);
  append(out, r->waits.at, r->waits.len * sizeof *r->waits.at);
  append(out, r->texts.at, r->texts.len);
  for (uint32_t t = 0; t < h.threads; ++t) append(out, r->streams[t].bytes.at, r->streams[t].bytes.len);
  h.size = out->len - begin;
  memcpy(out->at + begin, &h, sizeof h);
  mem_free(objects);
}

static void roller_free(Roller *r) {
  for (uint32_t t = 0; t < r->c->threads; ++t) {
    Stream *s = &r->streams[t];
    vec_free(&s->bytes), vec_free(&s->carried), vec_free(&s->hashes);
    mem_free(s->guess.follows), mem_free(s->guess.needs);
  }
  mem_free(r->streams), mem_free(r->published), mem_free(r->context), mem_free(r->site);
  mem_free(r->round), mem_free(r->rounds);
  vec_free(&r->contexts), vec_free(&r->waits), vec_free(&r->texts), vec_free(&r->text_at);
  map_free(r->context_of), map_free(r->stacked);
  intern_free(r->words);
  order_free(r->order);
}

bool roll_bytes(const Module *k, uint32_t schedule, Bytes *out) {
  const Schedule *c = k->sigma->schedules.at[schedule];
  Roller r = {.k = k, .sigma = k->sigma, .c = c, .id = schedule};
  r.order = order_new(k->sigma, schedule, k->diags);
  if (!r.order) return false;
  r.published = mem_array(c->events.len + 1, sizeof *r.published);
  r.context = mem_array(c->events.len + 1, sizeof *r.context);
  r.round = mem_array(c->events.len + 1, sizeof *r.round);
  r.rounds = mem_array(c->objects.len + 1, sizeof *r.rounds);
  r.streams = mem_array(c->threads + 1, sizeof *r.streams);
  r.context_of = map_new(), r.stacked = map_new(), r.words = intern_new();
  find_sites(&r);
  find_contexts(&r);
  write_streams(&r);
  write_block(&r, out);
  roller_free(&r);
  assert(rolled_whole(out->at, out->len));
  return true;
}
