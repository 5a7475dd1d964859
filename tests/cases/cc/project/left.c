#include "parts.h"
void *left(void *a) { for (int v; (v = queue_take());) queue_add(v); return a; }
