// report/words -- inside report/: what things are called, for people.
#pragma once
#include "sigma/sigma.h"

void put(Bytes *out, const char *s);
void putf(Bytes *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void put_argument(Bytes *out, const char *s);  // in quotes if a shell would want them
size_t shown_width(const Bytes *b, size_t from);
void pad(Bytes *out, size_t from, size_t width);  // what follows `from`, to so many columns, and two more

// The object, or what stands in its place: m0; c1 m0; t3; the function of an enter; what an access does.
// Empty if there is none.
void put_operands(const Sigma *s, const Schedule *c, const Event *e, Bytes *out);
// Of the call or instruction; false if it has none.
bool event_name(const Sigma *s, const Event *e, uint32_t *name);
bool put_event_place(const Sigma *s, const Event *e, Bytes *out);
void put_place(const Sigma *s, uint32_t file, uint32_t line, uint32_t column, Bytes *out);
void put_origin(const Sigma *s, const Schedule *c, Bytes *out);    // ./app 2 100
void put_end(const Schedule *c, Bytes *out);                       // exit 0
void put_dispatch(const Sigma *s, const Schedule *c, Bytes *out);  // the entry of main
SyncFamily event_family(const Schedule *c, const Event *e);
const char *event_family_word(const Schedule *c, const Event *e);  // call and other too
const char *object_label(const Sigma *s, const SigmaObject *o);    // NULL: it has no name of its own

// What each thread runs, SIGMA_NONE of those that have not entered. Free with mem_free.
uint32_t *thread_routines(const Schedule *c);

// How often events name each object, hottest first.
typedef struct {
  uint32_t object;
  size_t uses;
} Use;
typedef Vec(Use) Uses;
void uses_count(const Schedule *c, Uses *out);
