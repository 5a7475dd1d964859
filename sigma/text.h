// sigma/text -- the words of a line of Σ, and of a term: bare, or in quotes with escapes.
#pragma once
#include <stdbool.h>
#include "core/core.h"

// Escapes: \" \\ \n \t \r \xHH. Text is UTF-8; whatever is not goes through \xHH. A # where a word could
// begin starts a comment.
typedef struct {
  const char *at;  // what it says, escapes undone, with a NUL behind it; lives until the next word
  size_t len;
  unsigned column;  // where it begins, from 1
  bool quoted;
} Word;
typedef enum { TEXT_WORD, TEXT_END, TEXT_ERROR } TextResult;
typedef struct {
  const unsigned char *start, *at, *end;  // a line, or all of a term
  Bytes scratch;                          // of the words; text_free
  const char *error;                      // of TEXT_ERROR
  unsigned column;                        // of the error
  bool parens;                            // ( and ) are words of their own, if not in quotes
} Text;

// The bytes must have passed text_bad.
void text_start(Text *t, Span line);  // keeps scratch and parens
void text_free(Text *t);
TextResult text_next(Text *t, Word *w);
bool word_is(const Word *w, const char *s);                       // bare, and just this
bool word_number(const Word *w, uint64_t most, uint64_t *value);  // bare, decimal, no needless zero

// The first byte that may not stand in a text: a control character that is not \n or \t, or what is not
// UTF-8. len if there is none.
size_t text_bad(Span s);

// Bare if it can stand bare (in a term, if parens), else quoted.
void text_put(Bytes *out, const char *s, size_t len, bool parens);
void text_put_quoted(Bytes *out, const char *s, size_t len);
void text_put_number(Bytes *out, uint64_t n);
