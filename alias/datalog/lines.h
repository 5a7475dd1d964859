// datalog/lines -- a program's text as logical lines (a backslash at the end joins two) and their tokens.
#pragma once
#include "core/core.h"

// Where a byte of a joined line was in the file.
typedef struct {
  size_t offset;
  unsigned line, column;
} Origin;
typedef struct {
  Bytes text;  // without blanks at both ends; a zero byte follows
  Vec(Origin) origins;
} Line;

typedef struct {
  const char *file;
  Span text;
  size_t at;
  unsigned line;
} Lines;

bool lines_next(Lines *l, Line *out);  // false: no more; out is reused, line_free ends it
void line_free(Line *l);
Place line_place(const Line *l, const char *file, size_t offset);

typedef enum { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_MARK, TOKEN_WRONG } TokenKind;
// A mark is one of ( ) , . : :- ! = != < <= > >= => ? * { } ; -; text is what stands between quotes.
typedef struct {
  TokenKind kind;
  const char *at;
  size_t len, offset;
} Token;
Token line_token(const Line *l, size_t *offset);  // the next one at *offset, which moves behind it
bool token_is(Token t, const char *mark);
