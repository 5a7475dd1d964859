// sigma/stuck -- which of the threads that stand at the end of a schedule can never go on.
#pragma once
#include "model.h"

// By place in Schedule.standing; the caller's. A thread goes on if one that goes on may give what it waits
// for: the owner of a lock, the thread whose end is waited for, anybody that lives for a condition, a
// semaphore or a barrier.
bool *stuck_threads(const Schedule *c, size_t *count);
// Without those for which no other one waits, as long as somebody is left: who keeps whom.
bool *stuck_ring(const Schedule *c, size_t *count);
