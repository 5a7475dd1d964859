// A schedule of the kit as the bytes of rt/roll.h, in the plainest way: nothing is guessed. Each event is a
// context of its own, with its place as its site.
#include "kit.h"

typedef struct {
  uint8_t *at;
  size_t n, room;
} Block;

static void add(Block *b, const void *p, size_t size) {
  while (b->n + size > b->room) b->at = realloc(b->at, b->room = b->room * 2 + 1024);
  if (size) memcpy(b->at + b->n, p, size);
  b->n += size;
}
static void add_number(Block *b, uint32_t n) {
  for (; n > 127; n >>= 7) add(b, &(uint8_t){(uint8_t)(n | 128)}, 1);
  add(b, &(uint8_t){(uint8_t)n}, 1);
}
static void add_difference(Block *b, uint32_t *before, uint32_t n) {
  uint32_t d = n - *before;
  add_number(b, d << 1 ^ (0 - (d >> 31)));
  *before = n;
}
static uint32_t add_text(Block *b, const char *s) {
  add(b, s, strlen(s) + 1);
  return (uint32_t)(b->n - strlen(s) - 1);
}

static RtRolledShape shape_of(const RtSchedule *s, const RtNode *n, const RtNode *before) {
  const char *what = s->place[n->place].what;
  bool barrier = !strncmp(what, "barrier", 7), departs = before && before->depart == n;
  if (departs) return barrier ? RT_ROLLED_DEPART : RT_ROLLED_WAKE;
  if (n->depart) return barrier ? RT_ROLLED_ARRIVE : RT_ROLLED_WAIT;
  if (!strcmp(what, "create") || !strcmp(what, "join")) return RT_ROLLED_THREAD;
  return RT_ROLLED_PLAIN;
}

static void add_event(Block *b, const RtNode *n, RtRolledShape shape, RolledGuess *g) {
  bool more = shape == RT_ROLLED_WAIT || shape == RT_ROLLED_ARRIVE ||
              (shape == RT_ROLLED_WAKE && n->waker != RT_NONE32);
  uint32_t waits = n->waits < ROLLED_MANY ? n->waits : ROLLED_MANY, outcome = 0;
  uint8_t head = ROLLED_CONTEXT | ROLLED_OBJECT | ROLLED_OUTCOME;
  head = (uint8_t)(head + (more ? ROLLED_MORE : 0) + waits * ROLLED_WAITS);
  add(b, &head, 1);
  add_number(b, n->place);
  add_difference(b, &g->object, n->object);
  add_difference(b, &outcome, (uint32_t)n->outcome);
  if (shape == RT_ROLLED_WAIT) add_difference(b, &g->mutex, n->mutex);
  if (shape == RT_ROLLED_ARRIVE) add_difference(b, &g->round, n->round), ++g->round;
  if (more && shape == RT_ROLLED_WAKE) add_number(b, n->waker), add_number(b, n->round);
  if (waits == ROLLED_MANY) add_number(b, n->waits);
  for (uint32_t i = 0; i < n->waits; ++i) {
    add_number(b, n->wait[i].thread);
    add_difference(b, &g->needs[n->wait[i].thread], n->wait[i].need);
  }
}

// Alterations: of the site, the outcome and the object, left out, exchanged.
enum { SITE, OUTCOME, OBJECT, DROPPED, EXCHANGED, ALTERATIONS };
typedef struct {
  const RtNode *node[4096];
  uint32_t count;
} Sequence;

static void sequence_of(const RtPlan *p, uint32_t thread, Sequence *q) {
  RtNode *const *all;
  uint32_t n = kit_nodes(thread, &all);
  q->count = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (all[i] != p->enter && all[i] != p->exit) q->node[q->count++] = all[i];
}

// Of events that are one; what is done there shows what it should have been.
static bool can_alter(const Sequence *q, uint32_t i) {
  const RtNode *n = q->node[i], *before = i ? q->node[i - 1] : NULL;
  bool whole = !n->depart && !(before && before->depart == n);
  return whole && n->object != RT_NONE32 && !n->outcome;
}

// Of the same kind, and used by some other event, which then finds it elsewhere; or the node's own.
static uint32_t other_object(const RtSchedule *s, const RtNode *n) {
  for (uint32_t t = 0; t < s->threads; ++t) {
    RtNode *const *all;
    uint32_t count = kit_nodes(t, &all);
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t o = all[i]->object;
      bool object = o != RT_NONE32 && strcmp(s->place[all[i]->place].what, "create") &&
                    strcmp(s->place[all[i]->place].what, "join");
      if (object && o != n->object && s->object[o].family == s->object[n->object].family) return o;
    }
  }
  return n->object;
}

static void alter(const RtSchedule *s, Sequence *q, uint32_t i, uint32_t how) {
  RtNode *n = calloc(1, sizeof *n + q->node[i]->waits * sizeof(RtWait));
  memcpy(n, q->node[i], sizeof *n + q->node[i]->waits * sizeof(RtWait));
  uint32_t next = i + 1 < q->count && can_alter(q, i + 1);
  switch (how) {
    case SITE:
      n->place = (n->place + 1) % s->places;
      break;
    case OUTCOME:
      n->outcome = strcmp(s->place[n->place].what, "once") ? EPERM : RT_ENF_RAN;
      break;
    case OBJECT:
      n->object = other_object(s, n);
      if (n->object == q->node[i]->object) n->place = (n->place + 1) % s->places;
      break;
    case DROPPED:
      memmove(&q->node[i], &q->node[i + 1], (q->count - i - 1) * sizeof *q->node);
      --q->count;
      return;
    default:
      q->node[i] = q->node[i + next];
      if (next)
        q->node[i + 1] = n;
      else
        n->place = (n->place + 1) % s->places, q->node[i] = n;
      return;
  }
  q->node[i] = n;
}

// False: there is nothing.
static bool alter_one(const RtSchedule *s, Sequence *q, uint32_t how) {
  for (uint32_t k = 0; k < q->count; ++k) {
    uint32_t i = (how / ALTERATIONS + k) % q->count;
    if (!can_alter(q, i)) continue;
    alter(s, q, i, how % ALTERATIONS);
    return true;
  }
  return false;
}

static RtRolledEdge edge_of(const RtNode *n, Block *waits) {
  if (!n) return (RtRolledEdge){.context = RT_NONE32};
  RtRolledEdge e = {n->place, (uint32_t)(waits->n / sizeof(RtWait)), n->waits, n->outcome};
  add(waits, n->wait, n->waits * sizeof(RtWait));
  return e;
}

static void add_stream(Block *streams, const RtSchedule *s, const Sequence *q, RtRolledContext *contexts,
                       RtRolled *h) {
  uint32_t *needs = calloc(s->threads, sizeof *needs);
  RolledGuess g = {.needs = needs};
  for (uint32_t i = 0; i < q->count; ++i) {
    const RtNode *n = q->node[i];
    RtRolledShape shape = shape_of(s, n, i ? q->node[i - 1] : NULL);
    contexts[n->place].shape = shape;
    if (n->waits > h->most) h->most = n->waits;
    add_event(streams, n, shape, &g);
  }
  free(needs);
}

void kit_rolled_begin(const RtSchedule *s, uint32_t how) {
  static Sequence q;
  Block texts = {0}, streams = {0}, waits = {0}, all = {0};
  RtRolled h = {.magic = RT_ROLLED_MAGIC, .version = RT_ROLLED_VERSION, .threads = s->threads};
  RtRolledThread *threads = calloc(s->threads, sizeof *threads);
  RtRolledContext *contexts = calloc(s->places + 1, sizeof *contexts);
  RtRolledObject *objects = calloc(s->objects + 1, sizeof *objects);
  uint32_t file = add_text(&texts, "made.c"), function = add_text(&texts, "routine");
  for (uint32_t i = 0; i < s->places; ++i) {
    contexts[i] = (RtRolledContext){.site = i, .function = function, .file = file, .line = s->place[i].line};
    contexts[i].what = add_text(&texts, s->place[i].what);
  }
  for (uint32_t i = 0; i < s->objects; ++i)
    objects[i] = (RtRolledObject){.family = s->object[i].family, .amount = s->object[i].amount, .name = file};
  for (uint32_t t = 0; t < s->threads; ++t) {
    const RtPlan *p = &s->plan[t];
    RtRolledThread *to = &threads[t];
    sequence_of(p, t, &q);
    if (how && t >= 1 + how % (s->threads / 2) && alter_one(s, &q, how / s->threads)) how = 0;
    to->at = streams.n, to->routine = function;
    to->enter = edge_of(p->enter, &waits), to->exit = edge_of(p->exit, &waits);
    to->events = q.count + (p->enter != NULL) + (p->exit != NULL);
    add_stream(&streams, s, &q, contexts, &h);
    to->size = streams.n - to->at;
  }
  h.contexts = s->places, h.objects = s->objects, h.waits = (uint32_t)(waits.n / sizeof(RtWait));
  h.texts = texts.n, h.streams = streams.n, h.free = s->free;
  h.size = sizeof h + h.threads * sizeof *threads + h.contexts * sizeof *contexts +
           h.objects * sizeof *objects + waits.n + texts.n + streams.n;
  add(&all, &h, sizeof h);
  add(&all, threads, h.threads * sizeof *threads);
  add(&all, contexts, h.contexts * sizeof *contexts);
  add(&all, objects, h.objects * sizeof *objects);
  add(&all, waits.at, waits.n), add(&all, texts.at, texts.n), add(&all, streams.at, streams.n);
  free(threads), free(contexts), free(objects);
  free(texts.at), free(waits.at), free(streams.at);
  assert(rolled_whole(all.at, h.size));
  const RtRolled *block = (const RtRolled *)(const void *)all.at;
  if (!rt_roll_ready(block)) exit(1);
  rt_roll_begin(block);
}
