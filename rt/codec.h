// rt/codec -- how entries become bytes: each thread's entries are guessed from those before, and only what
// was guessed wrong is written. Loops over locks cost a byte for up to 126 entries, other code about 2 bytes
// an entry. Writing fewer bytes is what makes recording fast: a page of a mapped file costs 2.4 us at its
// first write (a page fault), so that 16-byte entries would cost 10 to 20 ns each.
//
// A byte at an entry's start is
//   0            nothing was written here yet
//   1 ... 126    so many entries, each exactly as guessed; counted up in place
//   127          all guesses are forgotten
//   1 t oo ssss  one entry. t: site, op, outcome and extra are as guessed, else they follow. oo: the object
//                is as guessed, that of the entry before, 0, or follows. ssss: 0 ... 10 is the step of the
//                sequence number, 11: as guessed, 12 ... 15: it follows in 1 ... 4 bytes
// in the order: op (128 more if outcome and extra follow in 1 and 2 bytes), site + 1, object, step; site and
// the object's difference to the guessed one (zigzag) in groups of 7 bits, the low ones first.
#pragma once
#include "log.h"

enum {
  CODEC_SLOTS = 512,
  CODEC_LASTS = 256,
  CODEC_CALLS = 256,
  CODEC_ROOM = 24,  // more than the longest entry
  CODEC_RUN = 126,
  CODEC_RESET = 127,
  CODEC_ENTRY = 128,
  CODEC_SITE_GUESSED = 64,
  CODEC_STEP_GUESSED = 11
};
enum { CODEC_OBJECT_GUESSED, CODEC_OBJECT_BEFORE, CODEC_OBJECT_0, CODEC_OBJECT_FOLLOWS };

// Two words, so that a guess is compared with two instructions.
typedef struct {
  uint64_t who;   // site, and the object in the high half
  uint64_t what;  // sequence number, or its step; in the high half op, outcome, extra
} Code;

static inline Code code_of(RtEntry e) {
  uint32_t tail = e.op | (uint32_t)e.outcome << 8 | (uint32_t)e.extra << 16;
  return (Code){e.site | (uint64_t)e.object << 32, e.seq | (uint64_t)tail << 32};
}
static inline RtEntry code_entry(Code c) {
  return (RtEntry){(uint32_t)c.who,         (uint32_t)(c.who >> 32), (uint32_t)c.what,
                   (uint8_t)(c.what >> 32), (uint8_t)(c.what >> 40), (uint16_t)(c.what >> 48)};
}
static inline uint32_t code_site(Code c) {
  return (uint32_t)c.who;
}
static inline uint32_t code_object(Code c) {
  return (uint32_t)(c.who >> 32);
}
static inline uint32_t code_seq(Code c) {
  return (uint32_t)c.what;
}
static inline uint32_t code_op(Code c) {
  return c.what >> 32 & 0xff;
}
static inline Code code_with(Code c, uint32_t seq) {
  return (Code){c.who, (c.what & ~(uint64_t)UINT32_MAX) | seq};
}

// All zero is the state at the start of a thread.
typedef struct {
  Code slots[CODEC_SLOTS];  // what came last after an entry like the last one, with steps
  uint64_t
      lasts[CODEC_LASTS];  // the thread's last number on an object: object, and the number in the high half
  uint32_t calls[CODEC_CALLS];  // the derived syncs that it is in, as a ring
  uint32_t depth, context, object;
} Codec;

static inline uint32_t codec_hash(uint32_t before) {
  return before * UINT32_C(0x9E3779B1) >> 23;
}
_Static_assert(CODEC_SLOTS == 1 << (32 - 23), "the shift");

// What the step of a number counts from.
static inline uint32_t codec_base(const Codec *c, Code e) {
  uint64_t last = c->lasts[code_object(e) % CODEC_LASTS];
  return code_op(e) < RT_FIRST_PLAIN && (uint32_t)last == code_object(e) ? (uint32_t)(last >> 32) : 0;
}

static inline Code codec_guess(const Codec *c) {
  Code g = c->slots[c->context];
  if (g.what >> 32 == RT_RET)
    g.who = (g.who & ~(uint64_t)UINT32_MAX) | c->calls[(c->depth - 1) % CODEC_CALLS];
  return g;
}

static inline void codec_flow(Codec *c, Code e) {
  if (code_op(e) == RT_CALL)
    c->calls[c->depth++ % CODEC_CALLS] = code_site(e);
  else if (code_op(e) == RT_RET)
    c->depth -= c->depth > 0;
  else if (code_op(e) == RT_UNWIND)
    c->depth -= code_object(e) < c->depth ? code_object(e) : c->depth;
}

// After every entry. The slot is the caller's to set where the guess was wrong.
static inline void codec_next(Codec *c, Code e) {
  if (code_op(e) < RT_FIRST_PLAIN)
    c->lasts[code_object(e) % CODEC_LASTS] = code_object(e) | (uint64_t)code_seq(e) << 32;
  else
    codec_flow(c, e);
  c->object = code_object(e);
  c->context = codec_hash(code_site(e) << 5 ^ code_op(e));
}
