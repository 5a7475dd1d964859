// sigma/term -- constraints as terms: Bool, Int64, Double, String. docs/sigma.md says what each means.
//
// A Terms holds the nodes of any number of terms, densely, operands before those who use them; a Term is an
// index. Building checks types. The parser makes trees; whoever builds may share nodes, printing writes them
// out again.
#pragma once
#include <stdbool.h>
#include "core/core.h"

typedef uint32_t Term;
#define TERM_NONE UINT32_MAX

typedef enum {
#define TERM(id, word, signature) TERM_##id,
#include "term.def"
  TERM_OPS
} TermOp;
typedef enum { TERM_IS_BOOL, TERM_IS_INT64, TERM_IS_DOUBLE, TERM_IS_STRING } TermType;
typedef enum {
#define ACCESS(id, word, letter) TERM_AS_##id,
#include "term.def"
  TERM_ACCESSES
} TermAccess;

typedef struct {
  uint8_t op, type, access;  // TermOp, TermType, of VAR and MEM: TermAccess
  uint32_t first, count;     // operands: term_operand
  uint32_t depth;            // how far operations nest in here; 1 for those without operands
  union {
    int64_t i;      // INT; ARGV: which
    double d;       // REAL
    uint32_t text;  // STRING, ENV, SYSCONF, VAR, ADDR: for term_text
  } as;
} TermNode;

typedef struct Terms Terms;
Terms *terms_new(void);
void terms_free(Terms *ts);
size_t terms_count(const Terms *ts);
TermNode term_at(const Terms *ts, Term t);
Term term_operand(const Terms *ts, Term t, uint32_t i);
const char *term_text(const Terms *ts, Term t);  // of STRING, ENV, SYSCONF, VAR, ADDR
bool term_same(const Terms *a, Term s, const Terms *b, Term t);

// Operands that do not fit: TERM_NONE, and why, if error is not NULL. The caller frees the text.
typedef struct {
  char *text;
  size_t operand;  // which one does not fit; their number if it is not one of them
} TermError;
Term term_bool(Terms *ts, bool b);
Term term_int(Terms *ts, int64_t i);
Term term_real(Terms *ts, double d);  // finite
Term term_string(Terms *ts, const char *s);
Term term_argc(Terms *ts);
Term term_argv(Terms *ts, uint32_t i);
Term term_env(Terms *ts, const char *name);
Term term_sysconf(Terms *ts, const char *name);  // TERM_NONE if term_sysconf_number does not know it
Term term_var(Terms *ts, const char *name, TermAccess access);
Term term_addr(Terms *ts, const char *name);
Term term_mem(Terms *ts, TermAccess access, Term address, TermError *error);
Term term_apply(Terms *ts, TermOp op, const Term *operands, size_t n, TermError *error);

const char *term_op_word(TermOp op);
const char *term_type_word(TermType type);
const char *term_access_word(TermAccess access);
bool term_sysconf_number(const char *name, int *number);  // of "_SC_NPROCESSORS_ONLN"

// One term and nothing behind it, of type Bool. Errors go to diags with file, line and column; the column of
// the text's first byte is given. TERM_NONE after an error.
Term term_parse(Terms *ts, Span text, Diags *diags, Place first);
void term_print(const Terms *ts, Term t, Bytes *out);  // one line; parsed again it is the same term

// What a term sees. Without a function, environment and sysconf are those of this process, and variables and
// memory are not defined.
typedef struct {
  TermType type;
  bool defined;
  union {
    bool b;
    int64_t i;
    double d;
    const char *s;
  } as;
} TermValue;
typedef struct {
  int argc;
  const char *const *argv;
  const char *(*env)(void *at, const char *name);
  long (*sysconf)(void *at, int number);
  bool (*var)(void *at, const char *name, TermAccess access, TermValue *out);  // false: not defined
  bool (*addr)(void *at, const char *name, int64_t *out);
  bool (*mem)(void *at, int64_t address, TermAccess access, TermValue *out);
  void *at;
} TermInputs;
TermValue term_value(const Terms *ts, Term t, const TermInputs *in);
bool term_holds(const Terms *ts, Term t, const TermInputs *in);  // of a Bool

void terms_check(const Terms *ts);  // asserts that it is whole
