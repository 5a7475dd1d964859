// deadlock/sure -- what comes before what in every run that does these events, whoever gets a lock first:
// program order, create, join, barriers, once, and a semaphore that one thread posts and another waits for.
#pragma once
#include "sigma/sigma.h"

typedef struct Sure Sure;
Sure *sure_new(const Order *o);  // which must outlive it
void sure_free(Sure *s);
// How many of a thread's events have surely happened when another stands in front of the event.
uint32_t sure_known(const Sure *s, uint32_t event, uint32_t thread);
// One event that must have happened with this one: the create of a thread, the signal that wakes a wait, the
// owner of a lock that a try failed on. SIGMA_NONE: none, or see sure_all.
uint32_t sure_need(const Sure *s, uint32_t event);
