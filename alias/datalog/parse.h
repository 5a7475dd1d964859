// datalog/parse -- what the readers of one line share. Private to parse.c and parse_rule.c.
#pragma once
#include "lines.h"
#include "ruleset.h"

typedef struct {
  Ruleset *program;
  Diags *diags;
  const char *file;   // one of program->files
  const char *input;  // replaces .basedir; or NULL
  Line line;
  size_t at;
  Token token;  // the current one
  unsigned depth;
} Parser;

void parse_next(Parser *p);
// Reports an error at a token of the line; false, for `return parse_wrong(...)`.
bool parse_wrong(Parser *p, Token at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool parse_expect(Parser *p, const char *mark);  // and goes on behind it
bool parse_number(Parser *p, uint64_t *out);     // and goes on behind it
bool parse_priority(Parser *p, int *out);        // behind the word pri
Place parse_place(const Parser *p, Token t);
char *parse_shown(Token t);  // the caller's

void parse_rule(Parser *p);
void parse_query(Parser *p);
