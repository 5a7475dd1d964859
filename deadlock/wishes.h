// deadlock/wishes -- each different way in which a thread takes a lock, or waits for the end of a thread,
// while it has others. What can be waited for are nodes: objects by their number, and behind them the ends of
// threads, which a thread "has" from its beginning on.
#pragma once
#include "deadlock.h"
#include "sure.h"

typedef struct {
  uint32_t node;
  uint32_t since;  // the event that took it; SIGMA_NONE of the thread's own end
  bool shared;
} WishHold;

typedef struct {
  uint32_t thread, node;  // it wants the node,
  bool shared;            // for reading,
  uint32_t first, count;  // and has these, of Wishes.holds
  uint32_t site;
  IdVec events;  // where it does; in order
} Wish;

#define WISH_AGAIN (SIGMA_NONE - 1)
typedef struct {
  Vec(Wish) all;
  Vec(WishHold) holds;
  uint32_t nodes;
  uint64_t waits;
  uint32_t *release;  // by event that takes a lock: the one that gives it back; SIGMA_NONE: it never
                      // is; WISH_AGAIN: the thread had it already
} Wishes;

void wishes_find(const Order *o, const bool *endless, Wishes *out);
void wishes_free(Wishes *w);
// The wish is not granted as long as another thread has this.
bool wish_needs(const Wish *w, const WishHold *h);
// Something that both have keeps one of them away.
bool wish_gate(const Wishes *all, const Wish *a, const Wish *b);
