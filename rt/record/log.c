// A thread's logs: entries into bytes (codec.h), bytes into mapped segments, each twice the one before.
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include "rec.h"

enum { SEGMENT_FIRST = 4096, SEGMENT_MOST = 1 << 20, GRANT_FIRST = 16, GRANT_MOST = 1 << 16 };

// From here on the thread's entries go nowhere. Its numbers are still taken, so that what others did after it
// on the same objects does not look as if nothing came before.
static void go_blind(RtThread *t, RtWhy why, int error) {
  rec_why(why, error);
  t->blind = 1;
}

static void stream_close(Stream *s) {
  if (!s->segment) return;
  uint64_t used = (uint64_t)(s->at - (unsigned char *)(s->segment + 1));
  s->bytes += used;
  atomic_store_explicit(&s->segment->head, used, memory_order_release);
  munmap(s->segment, s->size);
  s->segment = NULL;
  s->at = s->limit = NULL;
}

static bool stream_open(RtThread *t, Stream *s, char kind) {
  uint32_t size = s->index < 8 ? SEGMENT_FIRST << s->index : SEGMENT_MOST;
  char file[40];
  snprintf(file, sizeof file, "%c%u.%u", kind, t->id, s->index);
  RtSegment *g = rec_map_new(file, size);
  if (!g) return false;
  g->version = RT_LOG_VERSION;
  g->kind = (uint8_t)kind;
  g->header = sizeof *g;
  g->thread = t->id;
  g->segment = s->index++;
  memcpy(&g->program, rt_program.hash, sizeof g->program);
  g->size = s->size = size;
  g->base = s->bytes;
  handler_fence();
  memcpy(g->magic, "SPRT", sizeof g->magic);
  s->segment = g;
  s->at = (unsigned char *)(g + 1);
  s->limit = (unsigned char *)g + size - CODEC_ROOM;
  return true;
}

static void stream_roll(RtThread *t, Stream *s, char kind) {
  int saved = errno;
  sigset_t old;
  rec_block(&old);
  stream_close(s);
  if (!t->blind && !stream_open(t, s, kind)) {
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    go_blind(t, full ? RT_WHY_FULL : RT_WHY_ERROR, errno);
  }
  if (t->blind) {
    s->at = t->scratch;
    s->limit = t->scratch + sizeof t->scratch - CODEC_ROOM;
  }
  rec_unblock(&old);
  errno = saved;
}

// The limit is shared out in portions, so that it is kept without counting together. Entries that a byte
// counts up to are counted with the next: it may be exceeded by 126 in each thread.
static void grant(RtThread *t) {
  uint64_t want = UINT64_MAX;
  if (!t->blind && rec->most != UINT64_MAX) {
    want = t->granted < GRANT_MOST ? t->granted + GRANT_FIRST : GRANT_MOST;
    uint64_t before = atomic_fetch_add(&rec->events, want);
    uint64_t open = before < rec->most ? rec->most - before : 0;
    if (open < want) want = open;
    t->granted += want;
    if (!want) go_blind(t, RT_WHY_LIMIT, 0), stream_close(&t->log);
  }
  t->left = want ? want : UINT64_MAX;
}

static unsigned char *put_bytes(unsigned char *at, uint32_t v, int n) {
  for (; n > 0; --n, v >>= 8) *at++ = (unsigned char)v;
  return at;
}
static unsigned char *put_groups(unsigned char *at, uint32_t v) {
  for (; v >= 128; v >>= 7) *at++ = (unsigned char)(v | 128);
  *at++ = (unsigned char)v;
  return at;
}
static int bytes_of(uint32_t v) {
  return v < 1u << 8 ? 1 : v < 1u << 16 ? 2 : v < 1u << 24 ? 3 : 4;
}

static unsigned encode(const Codec *c, Code g, Code a, unsigned char *out) {
  unsigned char *at = out + 1;
  unsigned head = CODEC_ENTRY, object = CODEC_OBJECT_GUESSED, step = code_seq(a);
  if (code_site(a) == code_site(g) && a.what >> 32 == g.what >> 32) {
    head |= CODEC_SITE_GUESSED;
  } else {
    uint32_t more = (uint32_t)(a.what >> 40);
    *at++ = (unsigned char)(code_op(a) | (more ? 128 : 0));
    if (more) at = put_bytes(at, more, 3);
    at = put_groups(at, code_site(a) + 1);
  }
  if (code_object(a) != code_object(g)) {
    uint32_t o = code_object(a), d = o - code_object(g);
    object = o == c->object ? CODEC_OBJECT_BEFORE : o ? CODEC_OBJECT_FOLLOWS : CODEC_OBJECT_0;
    if (object == CODEC_OBJECT_FOLLOWS) at = put_groups(at, d << 1 ^ (0u - (d >> 31)));
  }
  if (step >= CODEC_STEP_GUESSED) {
    int n = step == code_seq(g) ? 0 : bytes_of(step);
    at = put_bytes(at, step, n);
    step = CODEC_STEP_GUESSED + (unsigned)n;
  }
  out[0] = (unsigned char)(head | object << 4 | step);
  return (unsigned)(at - out);
}

// An entry shows with its first byte: what lies behind the first eight goes first.
static void put_code(Stream *s, const unsigned char *code, unsigned n) {
  if (n > 8) memcpy(s->at + 8, code + 8, n - 8);
  handler_fence();
  uint64_t head;
  memcpy(&head, code, 8);
  memcpy(s->at, &head, 8);
  handler_fence();
  s->at += n;
}

// First the byte, then the place of the next: a handler may leave in between.
static void put_byte(Stream *s, unsigned char b) {
  *s->at = b;
  handler_fence();
  ++s->at;
}

static uint32_t put_run(Stream *s, uint32_t run) {
  if (run && run < CODEC_RUN) {
    s->at[-1] = (unsigned char)++run;
    return run;
  }
  put_byte(s, 1);
  return 1;
}

static void put_one(RtThread *t, Code e) {
  uint64_t entries = t->run > 1 ? t->run : 1;
  if (t->left < entries) grant(t);
  t->left -= t->left < entries ? t->left : entries;
  if (t->log.at >= t->log.limit) stream_roll(t, &t->log, 'e'), t->run = 0;
  Codec *c = &t->codec;
  Code g = codec_guess(c), a = code_with(e, code_seq(e) - codec_base(c, e));
  if (a.who == g.who && a.what == g.what) {
    t->run = put_run(&t->log, t->run);
  } else {
    unsigned char code[CODEC_ROOM] = {0};
    put_code(&t->log, code, encode(c, g, a, code));
    t->run = 0;
    c->slots[c->context] = a;
  }
  codec_next(c, e);
}

// With a time in front if that is wanted. An entry is written while its operation can be seen by nobody else,
// or before it: so the order of times is one that happened. A run of length 0 leads all entries here.
static __attribute__((noinline)) void put(RtThread *t, Code e) {
  if (unlikely(rec->timed)) {
    uint32_t now = atomic_fetch_add(&rec->time, 1);
    put_one(t, code_of((RtEntry){RT_NO_SITE, 0, now, RT_TIME, 0, 0}));
    t->run = 0;
  }
  put_one(t, e);
  if (unlikely(rec->timed)) t->run = 0;
}

HIDDEN void log_drain(RtThread *t) {
  t->pending = false;
  handler_fence();
  while (t->drained != atomic_load_explicit(&t->deferred, memory_order_relaxed))
    put(t, t->later[t->drained++ % REC_DEFERRED]);
}

// A handler may also have come between hold and the taking of the number. Then its number is lower.
static void put_earlier(RtThread *t, Code e) {
  uint32_t end = atomic_load_explicit(&t->deferred, memory_order_relaxed), upto = t->drained;
  for (uint32_t i = t->drained; i != end; ++i) {
    Code d = t->later[i % REC_DEFERRED];
    bool numbered = code_op(d) < RT_FIRST_PLAIN && code_op(e) < RT_FIRST_PLAIN;
    if (numbered && code_object(d) == code_object(e) && code_seq(d) < code_seq(e)) upto = i + 1;
  }
  while (t->drained != upto) put(t, t->later[t->drained++ % REC_DEFERRED]);
}

// So much was deferred that what is being written never will be: its hook was left by longjmp out of a
// handler.
static void recover(RtThread *t) {
  memset(&t->codec, 0, sizeof t->codec);
  t->run = 0;
  if (t->log.at >= t->log.limit) stream_roll(t, &t->log, 'e');
  memset(t->log.at, 0, CODEC_ROOM);
  put_byte(&t->log, CODEC_RESET);
  rec_why(RT_WHY_NESTED, 0);
  put(t, code_of((RtEntry){RT_NO_SITE, 0, 0, RT_LOST, 0, 0}));
}

HIDDEN void log_rest(RtThread *t, bool was, Code e) {
  if (was) {
    // Called by a handler that interrupted the writing of an entry: its own wait. Handlers interrupt each
    // other.
    if (atomic_load_explicit(&t->deferred, memory_order_relaxed) - t->drained < REC_DEFERRED) {
      t->later[atomic_fetch_add(&t->deferred, 1) % REC_DEFERRED] = e;
      t->pending = true;
      return;
    }
    recover(t);
    log_drain(t);
  }
  if (t->pending) put_earlier(t, e);
  put(t, e);
  log_drain(t);
  handler_fence();
  t->busy = false;
}

HIDDEN void log_append(RtThread *t, RtEntry e) {
  bool was = log_hold(t);
  log_held(t, was, code_of(e));
}

HIDDEN void log_close(RtThread *t) {
  stream_close(&t->log);
  stream_close(&t->path);
}

// As for entries: a byte for up to 126 branches that went on like last time after the same branch; else a
// byte 128 + n and the n bytes of the id.
void rt_rec_branch(uint32_t id) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return;
  if (unlikely(t->busy)) {
    rec_why(RT_WHY_NESTED, 0);
    return;
  }
  t->busy = 1;
  handler_fence();
  Stream *s = &t->path;
  if (unlikely(s->at >= s->limit)) stream_roll(t, s, 'b'), t->path_run = 0;
  uint32_t *guess = &t->branches[codec_hash(t->branch)];
  if (likely(*guess == id)) {
    t->path_run = put_run(s, t->path_run);
  } else {
    int n = bytes_of(id);
    uint64_t code = (unsigned)(CODEC_ENTRY + n) | (uint64_t)id << 8;
    memcpy(s->at, &code, sizeof code);
    s->at += n + 1;
    t->path_run = 0;
    *guess = id;
  }
  t->branch = id;
  handler_fence();
  t->busy = 0;
}
