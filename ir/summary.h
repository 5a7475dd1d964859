// ir/summary -- what functions outside the module do with memory: those words of library.def, parsed.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An operand of an operation: an argument of the call, its result, or an object with a name.
enum { OPERAND_RESULT = 60, OPERAND_NAMED = 64, OPERAND_NONE = 255, OPERANDS = 6 };
typedef enum {
  VALUE_ITSELF,
  VALUE_INSIDE,         // ~ some address in the object that it points to
  VALUE_LOADED,         // * what is stored where it points
  VALUE_HELD,           // *~ what is stored anywhere in that object
  VALUE_IN_HELD_TWICE,  // ~*~*~ some address in the objects that those point to
  VALUE_HELD_TWICE,     // *~*~ what is stored anywhere in the objects that those lead to
  VALUE_BEHIND,         // ~* some address in the object that that points to
  VALUE_VIRTUAL,        // ^ functions in the vtable of the object whose address is stored where it points
  VALUE_REACHED,        // % whatever it leads to, itself included
  VALUE_ALL_REACHED,    // %+ the same of this argument and all behind it
  VALUE_NEW,            // fresh memory
  VALUE_STATIC,         // memory of the library's, without pointers
  VALUE_OWN,            // such memory of each thread
  VALUE_UNKNOWN,        // ?
} ValueKind;
typedef struct {
  ValueKind kind;
  uint8_t operand;
} SummaryValue;

typedef enum {
  DO_READ,
  DO_WRITE,
  DO_USE,
  DO_FREE,
  DO_RETURN,
  DO_STORE,
  DO_COPY,
  DO_MIX,
  DO_ESCAPE,
  DO_VTABLE,
  DO_CALL,
  DO_SPAWN
} DoKind;
// Bytes: the product of the arguments times and times2 (OPERAND_NONE: 1), or `fixed`, or `text`; else
// unknown.
typedef struct {
  DoKind kind;
  SummaryValue place, value;
  uint8_t times, times2;
  bool rest;     // the place, and all arguments behind it
  bool program;  // of a call: only functions of the program are called
  bool text;  // up to the end of the text there
  int64_t fixed;
  unsigned count;  // of a call's arguments
  SummaryValue args[OPERANDS];
} Do;

typedef struct {
  const Do *at;
  size_t len;
  bool prefix;  // of a row for all whose names begin so: arguments are counted behind a hidden result
} Summary;

typedef struct Summaries Summaries;
Summaries *summaries_new(void);
void summaries_free(Summaries *s);
// False with what is wrong in *why: rows that a caller adds. Names are separated by spaces; one that ends in
// * stands for all that begin so.
bool summaries_add(Summaries *s, const char *effects, const char *names, const char **why);
bool summaries_find(const Summaries *s, const char *name, Summary *out);
// The names that summaries give to objects, OPERAND_NAMED being the first.
size_t summaries_named(const Summaries *s);
const char *summaries_name(const Summaries *s, size_t i);
void summaries_check(const Summaries *s);  // asserts that it is whole
