// A thread's bytes back into entries: codec.h from the other side.
#include <stdlib.h>
#include <string.h>
#include "parts.h"

struct RtCursor {
  const RtRecording *r;
  const Part *part, *end;  // of the thread's segments
  unsigned char kind;
  uint32_t thread, segment;
  const unsigned char *at, *limit;  // in this segment
  bool closed;                      // the segment was left in order
  uint64_t bytes;                   // in the segments before
  unsigned run;                     // entries as guessed that are still to come
  RtTail tail;
  bool done;
  Codec codec;
  uint32_t branches[CODEC_SLOTS], branch;
};

static RtCursor *cursor_new(const RtRecording *r, size_t thread, unsigned char kind) {
  RtCursor *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->r = r;
  c->kind = kind;
  c->thread = rt_recording_thread(r, thread);
  c->tail = RT_TAIL_OPEN;
  c->closed = true;  // the one before the first
  const Part *all = r->parts + r->count;
  c->part = r->parts;
  while (c->part < all && (c->part->kind != kind || c->part->thread != c->thread)) ++c->part;
  c->end = c->part;
  while (c->end < all && c->end->kind == kind && c->end->thread == c->thread) ++c->end;
  return c;
}

RtCursor *rt_cursor_new(const RtRecording *r, size_t thread) {
  return cursor_new(r, thread, 'e');
}
RtCursor *rt_branches_new(const RtRecording *r, size_t thread) {
  return cursor_new(r, thread, 'b');
}
void rt_cursor_free(RtCursor *c) {
  free(c);
}
void cursor_copy(RtCursor *to, const RtCursor *from) {
  *to = *from;
}
RtTail rt_cursor_tail(const RtCursor *c) {
  return c->tail;
}

static bool end(RtCursor *c, bool damaged) {
  c->done = true;
  if (damaged) c->tail = RT_TAIL_CUT;
  return false;
}

static bool segment_fits(const RtCursor *c, const RtSegment *s) {
  uint64_t program;
  memcpy(&program, c->r->process.hash, sizeof program);
  return !memcmp(s->magic, "SPRT", 4) && s->version == RT_LOG_VERSION && s->kind == c->kind &&
         s->header == sizeof *s && s->thread == c->thread && s->segment == c->segment &&
         s->program == program && s->base == c->bytes;
}

// Goes to the next segment. The last one may just have been made.
static bool segment_next(RtCursor *c) {
  if (c->part == c->end) return end(c, false);
  const Part *p = c->part++;
  RtSegment s;
  bool last = c->part == c->end, blank = p->size < sizeof s || !memcmp(p->at, "\0\0\0\0", 4);
  if (blank) return end(c, !last);
  memcpy(&s, p->at, sizeof s);
  if (!segment_fits(c, &s)) return end(c, true);
  uint64_t head = atomic_load(&s.head), size = p->size - sizeof s;
  c->closed = head && head <= size;
  c->at = p->at + sizeof s;
  c->limit = c->at + (c->closed ? head : size);
  c->bytes += c->closed ? head : size;
  ++c->segment;
  if (head > size || p->size < s.size) c->tail = RT_TAIL_CUT;  // the file is cut
  return true;
}

// True if a first byte is there to be read. A zero is the end of an open segment, and must be the last.
static bool more(RtCursor *c) {
  while (!c->done) {
    if (c->at < c->limit && *c->at) return true;
    bool whole = c->closed ? c->at == c->limit : c->part == c->end;
    if (!whole || (c->tail == RT_TAIL_CUT)) return end(c, true);
    segment_next(c);
  }
  return false;
}

static bool get_bytes(RtCursor *c, int n, uint32_t *v) {
  if (c->limit - c->at < n) return false;
  *v = 0;
  for (int i = 0; i < n; ++i) *v |= (uint32_t)*c->at++ << 8 * i;
  return true;
}
static bool get_groups(RtCursor *c, uint32_t *v) {
  *v = 0;
  for (int shift = 0; shift < 35 && c->at < c->limit; shift += 7) {
    unsigned char b = *c->at++;
    *v |= (uint32_t)(b & 127) << shift;
    if (b < 128) return true;
  }
  return false;
}

static bool get_site(RtCursor *c, Code *a) {
  uint32_t op, rest = 0, site;
  if (!get_bytes(c, 1, &op) || (op & 128 && !get_bytes(c, 3, &rest)) || !get_groups(c, &site)) return false;
  a->who = (a->who & ~(uint64_t)UINT32_MAX) | (uint32_t)(site - 1);
  a->what = (uint32_t)a->what | ((uint64_t)rest << 8 | (op & 127)) << 32;
  return true;
}

static bool get_object(RtCursor *c, unsigned how, Code *a) {
  uint32_t object = code_object(*a), d;
  if (how == CODEC_OBJECT_BEFORE) object = c->codec.object;
  if (how == CODEC_OBJECT_0) object = 0;
  if (how == CODEC_OBJECT_FOLLOWS) {
    if (!get_groups(c, &d)) return false;
    object += d >> 1 ^ (0u - (d & 1));
  }
  a->who = (uint32_t)a->who | (uint64_t)object << 32;
  return true;
}

static bool get_step(RtCursor *c, unsigned how, Code *a) {
  uint32_t step = how < CODEC_STEP_GUESSED ? how : code_seq(*a);
  if (how > CODEC_STEP_GUESSED && !get_bytes(c, (int)(how - CODEC_STEP_GUESSED), &step)) return false;
  *a = code_with(*a, step);
  return true;
}

// The next entry, with its step in place of its number.
static bool get_code(RtCursor *c, Code *a) {
  if (!c->run && !more(c)) return false;
  *a = codec_guess(&c->codec);
  if (!c->run) {
    unsigned head = *c->at++;
    if (head <= CODEC_RUN) {
      c->run = head;
    } else if (!(head & CODEC_SITE_GUESSED) && !get_site(c, a)) {
      return end(c, true);
    } else if (!get_object(c, head >> 4 & 3, a) || !get_step(c, head & 15, a)) {
      return end(c, true);
    }
  }
  if (c->run) --c->run;
  return true;
}

bool rt_cursor_next(RtCursor *c, RtEntry *e) {
  while (!c->run && more(c) && *c->at == CODEC_RESET) {
    memset(&c->codec, 0, sizeof c->codec);
    ++c->at;
  }
  Code a;
  if (c->done || !get_code(c, &a)) return false;
  uint32_t op = code_op(a);
  if (op == RT_NONE || op >= RT_OPS) return end(c, true);
  Code code = code_with(a, code_seq(a) + codec_base(&c->codec, a));
  c->codec.slots[c->codec.context] = a;
  codec_next(&c->codec, code);
  *e = code_entry(code);
  if (c->tail != RT_TAIL_CUT) c->tail = op == RT_EXIT ? RT_TAIL_EXIT : RT_TAIL_OPEN;
  return true;
}

bool rt_branches_next(RtCursor *c, uint32_t *id) {
  uint32_t *guess = &c->branches[codec_hash(c->branch)];
  if (!c->run && !more(c)) return false;
  if (!c->run) {
    unsigned head = *c->at++;
    if (head <= CODEC_RUN)
      c->run = head;
    else if (head <= CODEC_ENTRY || head > CODEC_ENTRY + 4 || !get_bytes(c, (int)(head - CODEC_ENTRY), guess))
      return end(c, true);
  }
  if (c->run) --c->run;
  if (!*guess) return end(c, true);
  *id = c->branch = *guess;
  return true;
}
