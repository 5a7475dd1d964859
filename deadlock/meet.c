// Each thread has a place in its list of events for its wish. A place that cannot go with the others never
// can with later places of those either, so that it moves on: each event is looked at once (Mathur et al.,
// sync-preserving deadlocks, go through abstract deadlock patterns in the same way).
#include "meet.h"
#include <assert.h>

static const IdVec *places(const Wishes *w, const Cycle *c, size_t i) {
  return &w->all.at[c->at[i].wish].events;
}

// The first place at or behind this position of the thread. False: there is none.
static bool move(const Order *o, const IdVec *list, uint32_t position, uint32_t *event) {
  size_t low = 0, high = list->len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (order_position(o, list->at[middle]) < position)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == list->len) return false;
  *event = list->at[low];
  return true;
}

bool meet_unordered(const Order *o, const Sure *sure, const Wishes *w, const Cycle *c, uint32_t *events) {
  for (vec_each(i, c)) events[i] = places(w, c, i)->at[0];
  for (bool again = true; again;) {
    again = false;
    for (vec_each(i, c))
      for (vec_each(k, c)) {
        uint32_t thread = w->all.at[c->at[i].wish].thread;
        uint32_t known = k == i ? 0 : sure_known(sure, events[k], thread);
        if (known <= order_position(o, events[i])) continue;
        if (!move(o, places(w, c, i), known, &events[i])) return false;
        again = true;
      }
  }
  return true;
}

bool meet_reached(const Order *o, Reach *reach, const Wishes *w, const Cycle *c, uint32_t *events) {
  reach_forget(reach);
  for (bool again = true; again;) {
    again = false;
    for (vec_each(i, c)) reach_add(reach, w->all.at[c->at[i].wish].thread, order_position(o, events[i]));
    for (vec_each(i, c)) {
      uint32_t done = reach_upto(reach)[w->all.at[c->at[i].wish].thread];
      if (done <= order_position(o, events[i])) continue;
      if (!move(o, places(w, c, i), done, &events[i])) return false;
      again = true;
    }
  }
  return true;
}
