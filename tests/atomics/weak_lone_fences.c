// Fences order through accesses only.
#include "litmus.h"
THREAD(1, 0, data = 1; atomic_thread_fence(memory_order_seq_cst))
THREAD(2, 0, (void)0)
THREAD(3, 1, atomic_thread_fence(memory_order_seq_cst); data++)
MAIN
