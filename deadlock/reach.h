// deadlock/reach -- which events must have taken place for threads to stand in front of theirs, if each lock
// is taken in the recorded order as far as it is taken at all; or that this cannot be. It only grows: whoever
// asks for more asks for what was asked before, too.
#pragma once
#include "sure.h"

typedef struct Reach Reach;
Reach *reach_new(const Order *o, const Sure *sure, const uint32_t *release);  // which must outlive it
void reach_free(Reach *r);
void reach_forget(Reach *r);                               // nothing has taken place
void reach_add(Reach *r, uint32_t thread, uint32_t upto);  // so many of its events, and all that they need
const uint32_t *reach_upto(const Reach *r);  // by thread: how many of its events have taken place
