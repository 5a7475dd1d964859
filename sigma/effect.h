// sigma/effect -- what an atomic operation did, as the text of its event says: `update acq-rel 4 at 4 was 1
// now 0` read and wrote the upper four bytes of its cell. A fence has its memory order alone. Values that may
// be addresses are not known: they differ from run to run.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST } MemoryOrder;
typedef enum { EFFECT_READ, EFFECT_WRITE, EFFECT_UPDATE, EFFECT_FENCE } EffectKind;

typedef struct {
  uint8_t kind;          // EffectKind
  uint8_t order;         // MemoryOrder
  uint8_t first, bytes;  // in the cell of eight; 0 of a fence
  bool has_was, has_now;
  uint64_t was, now;  // what it read, what it wrote
} AtomicEffect;

enum { EFFECT_CELL = 8, EFFECT_TEXT = 96 };
bool effect_acquires(MemoryOrder o);
bool effect_releases(MemoryOrder o);
// False: it is no effect in the one form that effect_print gives it.
bool effect_parse(const char *text, AtomicEffect *out);
void effect_print(const AtomicEffect *e, char out[EFFECT_TEXT]);
bool effect_is_whole(const AtomicEffect *e);
