// rt/cause -- which event made an event possible, found while events go by in a merged order.
#pragma once
#include "ids.h"
#include "reader.h"

typedef struct Causes Causes;
Causes *causes_new(const Ids *threads);  // the ids of all threads with entries; must outlive this
void causes_free(Causes *c);
// What an object is, of its RT_OBJECT: before all events, for who uses it first need not be who says that.
bool causes_name(Causes *c, RtEntry e);
// The event with that index in the order. False: no memory, and the cause is unknown.
bool causes_next(Causes *c, RtEvent *e, uint64_t index);
bool causes_object(const Causes *c, uint32_t object, RtObject *out);
