// Linked into programs that aliascheck instrumented: finds the object and offset of each address that is
// used, and writes what it saw to the file that $ALIASLOG names, at exit. One lock: this is for tests.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Piece {
  uintptr_t from, to;
  unsigned object;
  struct Piece *left, *right;
  unsigned heat;
} Piece;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Piece *root, *spare;
static unsigned state = 1;
typedef struct {
  unsigned inst, object;
  long offset;
  unsigned used;
} Seen;
static Seen *seen;
static size_t room = 1 << 12, count;
static unsigned long hits, misses;

static void grow(void);
static void note(unsigned inst, unsigned object, long offset) {
  if (!seen) seen = calloc(room, sizeof *seen);
  size_t i = (inst * 0x9e3779b1u ^ object * 0x85ebca6bu ^ (size_t)offset * 0xc2b2ae35u) & (room - 1);
  while (seen[i].used && (seen[i].inst != inst || seen[i].object != object || seen[i].offset != offset))
    i = (i + 1) & (room - 1);
  if (seen[i].used) return;
  seen[i] = (Seen){inst, object, offset, 1};
  if (++count * 2 > room) grow();
}
static void grow(void) {
  Seen *old = seen;
  size_t n = room;
  seen = calloc(room *= 2, sizeof *seen);
  count = 0;
  for (size_t i = 0; i < n; ++i)
    if (old[i].used) note(old[i].inst, old[i].object, old[i].offset);
  free(old);
}

static void split(Piece *p, uintptr_t at, Piece **a, Piece **b) {  // a: those that begin below at
  if (!p) {
    *a = *b = NULL;
  } else if (p->from < at) {
    *a = p;
    split(p->right, at, &p->right, b);
  } else {
    *b = p;
    split(p->left, at, a, &p->left);
  }
}
static Piece *merge(Piece *a, Piece *b) {
  if (!a || !b) return a ? a : b;
  if (a->heat > b->heat) {
    a->right = merge(a->right, b);
    return a;
  }
  b->left = merge(a, b->left);
  return b;
}
static void drop(Piece *p) {
  if (!p) return;
  drop(p->left);
  drop(p->right);
  p->left = spare;
  spare = p;
}
// Forgets all that begins in the range; what reaches into it is shortened.
static void clear(uintptr_t from, uintptr_t to) {
  Piece *a, *b, *c, *last;
  split(root, from, &a, &b);
  split(b, to, &b, &c);
  drop(b);
  for (last = a; last && last->right;) last = last->right;
  if (last && last->to > from) last->to = from;
  root = merge(a, c);
}
static void put(unsigned object, uintptr_t from, uintptr_t to) {
  Piece *a, *b, *p = spare;
  clear(from, to);
  if (p)
    spare = p->left;
  else
    p = malloc(sizeof *p);
  state = state * 1664525u + 1013904223u;
  *p = (Piece){from, to, object, NULL, NULL, state};
  split(root, from, &a, &b);
  root = merge(merge(a, p), b);
}

void aliaslog_object(unsigned object, char *p, long size) {
  if (!p || !size) return;
  pthread_mutex_lock(&lock);
  put(object, (uintptr_t)p, (uintptr_t)p + (size_t)size);
  pthread_mutex_unlock(&lock);
}
void aliaslog_heap(unsigned object, char *p) {
  if (p) aliaslog_object(object, p, (long)malloc_usable_size(p));
}
void aliaslog_gone(char *p, long size) {
  if (!p) return;
  pthread_mutex_lock(&lock);
  clear((uintptr_t)p, (uintptr_t)p + (size ? (size_t)size : malloc_usable_size(p)));
  pthread_mutex_unlock(&lock);
}
void aliaslog_access(unsigned inst, char *p) {
  Piece *best = NULL;
  pthread_mutex_lock(&lock);
  for (Piece *x = root; x;)
    if (x->from <= (uintptr_t)p)
      best = x, x = x->right;
    else
      x = x->left;
  if (best && (uintptr_t)p < best->to) {
    note(inst, best->object, (long)((uintptr_t)p - best->from));
    hits++;
  } else {
    misses++;
  }
  pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void finish(void) {
  const char *name = getenv("ALIASLOG");
  FILE *f = name ? fopen(name, "w") : NULL;
  pthread_mutex_lock(&lock);
  if (!f) return;
  for (size_t i = 0; seen && i < room; ++i)
    if (seen[i].used) fprintf(f, "%u %u %ld\n", seen[i].inst, seen[i].object, seen[i].offset);
  fprintf(f, "total %lu %lu\n", hits, misses);
  fclose(f);
}
