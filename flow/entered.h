// flow/entered -- which of a thread's events belong to a function that code outside has entered.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// The callback around the event at `position`: it has those from *begin to before *end, with all that it
// calls. False: that is no entry of the function of this name, or there is none.
bool entered_span(const Order *o, uint32_t thread, uint32_t position, const char *name, size_t len,
                  uint32_t *begin, uint32_t *end);
