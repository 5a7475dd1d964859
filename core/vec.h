// core/vec -- growing arrays: Vec(int) v = {0}; vec_push(&v, 3); v.at[0]; v.len; vec_free(&v).
#pragma once
#include <assert.h>
#include <string.h>
#include "mem.h"

#define Vec(T)       \
  struct {           \
    T *at;           \
    size_t len, cap; \
  }

// Bytes owns at; a Span is a view of somebody else's.
typedef Vec(unsigned char) Bytes;
typedef Vec(char *) Strings;
typedef struct {
  const unsigned char *at;
  size_t len;
} Span;

static inline void *vec_room(void *at, size_t len, size_t *cap, size_t more, size_t size) {
  assert(len <= *cap);
  if (len + more <= *cap) return at;
  size_t want = *cap ? *cap * 2 : 8;
  while (want < len + more) want *= 2;
  void *grown = mem_array(want, size);
  if (len) memcpy(grown, at, len * size);
  mem_free(at);
  *cap = want;
  return grown;
}

#define vec_reserve(v, n) ((v)->at = vec_room((v)->at, (v)->len, &(v)->cap, (n), sizeof *(v)->at))
#define vec_push(v, x) (vec_reserve(v, 1), (void)((v)->at[(v)->len++] = (x)))
#define vec_append(v, p, n)                                                \
  do {                                                                     \
    size_t vec_n_ = (n);                                                   \
    vec_reserve(v, vec_n_);                                                \
    if (vec_n_) memcpy((v)->at + (v)->len, (p), vec_n_ * sizeof *(v)->at); \
    (v)->len += vec_n_;                                                    \
  } while (0)
#define vec_pop(v) (assert((v)->len), (v)->at[--(v)->len])
#define vec_last(v) (*(assert((v)->len), &(v)->at[(v)->len - 1]))
#define vec_free(v) (mem_free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
#define vec_each(i, v) \
  size_t i = 0;        \
  i < (v)->len;        \
  ++i

static inline Span span_of(const void *at, size_t len) {
  return (Span){at, len};
}
static inline void bytes_text(Bytes *b, const char *s) {
  vec_append(b, s, strlen(s));
}
static inline void strings_free(Strings *s) {
  for (vec_each(i, s)) mem_free(s->at[i]);
  vec_free(s);
}
