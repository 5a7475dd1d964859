// rt/ids -- any 32-bit numbers to 0, 1, 2 ... in the order of first sight.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDS_NONE UINT32_MAX

typedef struct {
  uint32_t *keys, *slots;  // slots hold id + 1
  uint32_t count, room;    // of keys; slots are twice as many
} Ids;
void ids_free(Ids *t);
uint32_t ids_find(const Ids *t, uint32_t key);  // IDS_NONE: not there
uint32_t ids_add(Ids *t, uint32_t key);         // the same if it is there; IDS_NONE: no memory
// Makes room for one more; false: no memory.
bool array_grow(void **at, size_t *room, size_t size);

#define Array(T)        \
  struct {              \
    T *at;              \
    size_t count, room; \
  }
#define array_add(a, x)                                                                 \
  ((a)->count < (a)->room || array_grow((void **)&(a)->at, &(a)->room, sizeof *(a)->at) \
       ? ((a)->at[(a)->count++] = (x), true)                                            \
       : false)
