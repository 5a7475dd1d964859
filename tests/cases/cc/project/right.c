#include "parts.h"
static void one(int v) { queue_add(v * 1); }
void *right(void *a) { for (int v; (v = queue_take());) one(v); return a; }
