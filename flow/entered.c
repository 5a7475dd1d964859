#include "entered.h"
#include <assert.h>

static const Event *event_at(const Order *o, uint32_t thread, uint32_t position) {
  return &order_schedule(o)->events.at[order_event(o, thread, position)];
}

// The innermost callback that an event stands in.
static uint32_t callback_around(const Order *o, uint32_t event) {
  uint32_t e = order_path(o, event);
  while (e != SIGMA_NONE && order_schedule(o)->events.at[e].kind != EVENT_CALLBACK) e = order_path(o, e);
  return e;
}

static bool is_inside(const Order *o, uint32_t event, uint32_t opener) {
  uint32_t e = order_path(o, event);
  while (e != SIGMA_NONE && e != opener) e = order_path(o, e);
  return e == opener;
}

bool entered_span(const Order *o, uint32_t thread, uint32_t position, const char *name, size_t len,
                  uint32_t *begin, uint32_t *end) {
  assert(position < order_count(o, thread));
  uint32_t callback = callback_around(o, order_event(o, thread, position));
  if (callback == SIGMA_NONE) return false;
  *begin = order_position(o, callback), *end = *begin + 1;
  while (*end < order_count(o, thread) && is_inside(o, order_event(o, thread, *end), callback)) ++*end;
  const char *of = sigma_text(order_sigma(o), event_at(o, thread, *begin)->other);
  return strlen(of) == len && !memcmp(of, name, len);
}
