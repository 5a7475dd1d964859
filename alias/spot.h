// alias/spot -- where a pointer may point inside an object: at one offset, or at every `stride` bytes, as
// elements of an array lie. Spots have dense ids; equal sets of addresses mostly have one id.
//
// The rules of this file are the whole of what the analysis knows about layout; tests/naive.py states them
// again.
#pragma once
#include <stdbool.h>
#include "ir/ir.h"

// The universal object: all memory that has escaped, and all that is not of the program.
enum { OBJECT_UNKNOWN = 0, SPOT_UNKNOWN = 0 };

#define SPOT_OPEN INT64_MAX           // no end: the whole object, in both directions
#define SPOT_REST ((int64_t)1 << 40)  // the size of an access of unknown size

// stride 0: at `first` alone. Otherwise at first, first + stride ... below `end`; SPOT_OPEN: first is below
// stride, and only the remainder counts.
typedef struct {
  uint32_t object;
  int64_t first, stride, end;
} Spot;

// p + bytes + i * stride, i unknown. limit > 0: i * stride is in [0, limit), an array inside an object.
typedef struct {
  int64_t bytes, stride, limit;
} Shift;

typedef struct Spots Spots;
// sizes: of each object by id, -1 if unknown; it grows while spots are made and is the caller's.
typedef Vec(int64_t) Sizes;
Spots *spots_new(const Sizes *sizes);
void spots_free(Spots *s);
uint32_t spots_count(const Spots *s);
Spot spots_at(const Spots *s, uint32_t id);
uint32_t spots_id(Spots *s, Spot spot);  // of its normal form
Spot spot_normal(Spot s, int64_t size);
Spot spot_shift(Spot s, Shift by);              // not in normal form
Spot spot_add(Spot s, Spot by, bool subtract);  // in the object of s, for moving memory; not in normal form

// Whether accesses of so many bytes there may touch the same byte of an object.
bool spot_overlaps(Spot a, int64_t bytes_a, Spot b, int64_t bytes_b);
// No access there is inside an object of that size, so none happens.
bool spot_outside(Spot s, int64_t bytes, int64_t size);
void spots_check(const Spots *s);  // asserts that it is whole
