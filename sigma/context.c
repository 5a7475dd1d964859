#include "context.h"
#include <assert.h>

uint32_t segment_begin(const Order *o, Segment s) {
  assert(s.index <= order_count(o, s.thread));
  return s.index ? order_event(o, s.thread, s.index - 1) : SIGMA_NONE;
}

uint32_t segment_end(const Order *o, Segment s) {
  assert(s.index <= order_count(o, s.thread));
  return s.index < order_count(o, s.thread) ? order_event(o, s.thread, s.index) : SIGMA_NONE;
}

static bool ends_before(const Order *o, Segment a, Segment b) {
  uint32_t end = segment_end(o, a), begin = segment_begin(o, b);
  return end != SIGMA_NONE && begin != SIGMA_NONE && (end == begin || order_before(o, end, begin));
}

bool may_interfere(const Order *o, Segment g, Segment d, Segment u) {
  return !ends_before(o, g, d) && !ends_before(o, u, g);
}

Context context_of(const Order *o, Segment s) {
  uint32_t event = segment_begin(o, s);
  if (event == SIGMA_NONE) return (Context){s, SIGMA_NONE};
  uint32_t path = order_path(o, event);
  switch (order_schedule(o)->events.at[event].kind) {
    case EVENT_CALL:
    case EVENT_CALLBACK:
      return (Context){s, event};
    case EVENT_RET:
    case EVENT_UNWIND:
      return (Context){s, context_caller(o, path)};
    default:
      return (Context){s, path};
  }
}

uint32_t context_caller(const Order *o, uint32_t path) {
  assert(path < order_schedule(o)->events.len);
  int kind = order_schedule(o)->events.at[path].kind;
  assert(kind == EVENT_CALL || kind == EVENT_CALLBACK);
  return order_path(o, path);
}
