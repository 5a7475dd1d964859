// datalog/bits -- numbers in blocks of BDD variables. Private to the folder. Results are not counted.
#pragma once
#include "graph.h"
#include "layout.h"

BDD bits_value(const Block *b, uint64_t value);
BDD bits_range(const Block *b, uint64_t low, uint64_t high);  // both are in it
BDD bits_equal(const Block *a, const Block *b);
BDD bits_less(const Block *a, const Block *b, bool or_equal);
BDD bits_sum(const Block *a, const Block *b, uint64_t offset);  // b = a + offset
BDD bits_set(const Block *b);                                   // its variables

// Rows of a relation: for each way to choose values of these blocks, which must be all that b depends on.
// `any` says of each whether it may have every value; NULL: rows are written out. False from `row`: no more.
typedef bool BitsRow(void *self, const uint64_t *values, const bool *any);
bool bits_each(BDD b, const Block *const *blocks, size_t count, bool with_any, BitsRow *row, void *self);
