// race/pair -- whether two accesses can touch the same byte unordered.
#pragma once
#include "flow/flow.h"

// Not the same bytes; never executed; surely the same bytes; possibly; too hard to say; it is not known where
// one of them points.
typedef enum { PAIR_APART, PAIR_DEAD, PAIR_SAME, PAIR_POSSIBLE, PAIR_HARD, PAIR_ANYWHERE } PairAnswer;

typedef struct Pairing Pairing;
// All must outlive it.
Pairing *pairing_new(const Code *c, const Alias *a, Known *v);
void pairing_free(Pairing *p);
// Concurrent regions of two threads, with happens-before credit.
bool pairing_concurrent(const Pairing *p, const Access *x, const Access *y, Region *rx, Region *ry);
// Requires concurrent accesses that may meet by points-to.
PairAnswer pairing_ask(Pairing *p, const Access *x, const Access *y);
// Whether the accesses, where they meet, hold the same mutex, x the one at m and y that at n: each as far
// from its mutex as the other, so that two mutexes would overlap.
bool pairing_under_one(Pairing *p, const Access *x, LLVMValueRef m, const Access *y, LLVMValueRef n);
// What has to be true for both to be executed and touch the same bytes, with all that is known of these
// values of the input. False: where one of them points is not known well enough.
bool pairing_meeting(Pairing *p, const Access *x, const Access *y, const BvVec *inputs, BvVec *truths);
uint64_t pairing_asked(const Pairing *p);
uint64_t pairing_unanswered(const Pairing *p);  // taken to be possible, for it was too hard to say
