#include "entered.h"

static const Event *event_at(const Order *o, uint32_t thread, uint32_t position) {
  return &order_schedule(o)->events.at[order_event(o, thread, position)];
}

static bool is_return(const Event *e) {
  return e->kind == EVENT_RET || e->kind == EVENT_UNWIND;
}

// Outwards: calls that are over are passed by.
static bool find_begin(const Order *o, uint32_t thread, uint32_t position, uint32_t *begin) {
  uint32_t over = 0;
  while (position--) {
    const Event *e = event_at(o, thread, position);
    if (e->kind == EVENT_CALLBACK && !over) return *begin = position, true;
    if (is_return(e)) ++over;
    if (e->kind == EVENT_CALL && over) --over;
  }
  return false;
}

// Until the code outside goes on.
static uint32_t find_end(const Order *o, uint32_t thread, uint32_t begin) {
  uint32_t open = 0, p = begin + 1;
  for (; p < order_count(o, thread); ++p) {
    const Event *e = event_at(o, thread, p);
    if (e->kind == SYNC_EXIT || (!open && (is_return(e) || e->kind == EVENT_CALLBACK))) break;
    if (is_return(e)) --open;
    if (e->kind == EVENT_CALL) ++open;
  }
  return p;
}

bool entered_span(const Order *o, uint32_t thread, uint32_t position, const char *name, size_t len,
                  uint32_t *begin, uint32_t *end) {
  if (!find_begin(o, thread, position, begin)) return false;
  const char *of = sigma_text(order_sigma(o), event_at(o, thread, *begin)->other);
  *end = find_end(o, thread, *begin);
  return strlen(of) == len && !memcmp(of, name, len);
}
