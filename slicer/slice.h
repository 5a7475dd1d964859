// slicer/slice -- the instances that targets depend on, by data, control and order, and what that means for
// each pc and line.
#pragma once
#include "examined.h"

enum {  // why an instance is kept
  SLICE_DATA = 1,
  SLICE_CONTROL = 2,
  SLICE_CALL = 4,
  SLICE_ORDER = 8,
  SLICE_TARGET = 16,
  SLICE_OTHER_WAY = 32  // a branch whose other way might have mattered
};
typedef Vec(RunInstance) SliceTargets;

typedef struct {
  const Examined *of;
  uint64_t *kept, *by_data;         // bits by number of instance; by_data: by data, or as a target
  uint8_t *why;                     // by pc: of all its instances
  uint64_t *kept_at, *executed_at;  // by pc: how many instances
  Pairs threads;                    // pc and thread, each once: whose instances are kept
  Map *thread_known;
  uint32_t *last_thread;          // by pc: + 1; 0: none
  uint64_t executed, kept_count;  // of the program
  uint64_t all_kept;              // with those of models
  Vec(uint64_t) unwritten;        // bytes that were read and that nothing in the run had written
  uint64_t passed;
} Slice;

typedef struct {
  bool data_only, no_order;
  bool path;  // with branches whose other way might have mattered
} SliceWhat;
void slice_make(const Examined *of, const SliceTargets *targets, SliceWhat what, Slice *out);
void slice_free(Slice *s);
static inline bool slice_has(const Slice *s, uint32_t number) {
  return s->kept[number / 64] >> (number % 64) & 1;
}
void slice_check(const Slice *s);  // asserts that it is whole
