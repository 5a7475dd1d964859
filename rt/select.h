// rt/select -- what a dispatcher calls at the dispatch point: the atoms and functions of constraints
// (docs/sigma.md), and what the person asked for. Nothing here changes anything, errno included; whatever has
// no value says so. A string that has none is NULL, and may be handed on to any function here.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>

// SPECIALIZE_SCHEDULE: RT_CHOICE_TEST where it is not set (or cannot be understood: said once on stderr),
// RT_CHOICE_NONE for none, else its number. Programs that run with other rights than their caller's have no
// choice, and tell nothing.
enum { RT_CHOICE_TEST = -1, RT_CHOICE_NONE = -2 };
int64_t rt_select_choice(void);
// With SPECIALIZE_VERBOSE=1 exactly one line on stderr. id < 0: no schedule fits, original code.
void rt_select_tell(int64_t id);
// For dispatch points inside main: wait at its entry, if nothing is decided there; what the process is to tell
// when it ends, if no point was reached. none: at a point behind which there is no other. alone: whether the
// process has one thread; if not, that is told instead of the schedule that fits.
void rt_select_wait(void);
void rt_select_none(void);
int rt_select_alone(int64_t id);
// A schedule was asked for by number that the program does not hold: says so, exit status 2.
noreturn void rt_select_unknown(int64_t id);
// One whose constraint does not hold for this input.
noreturn void rt_select_unfit(int64_t id);

// Atoms. An address is read only if it can be: read says 0 where it cannot, text is NULL where no NUL can be
// reached; array is the text in an array of this size, NULL without a NUL in it.
const char *rt_select_env(const char *name);
int64_t rt_select_sysconf(int number);
int rt_select_read(int64_t address, void *to, size_t size);
const char *rt_select_text(int64_t address);
const char *rt_select_array(const char *at, size_t size);

// Functions, as the C library has them; of NULL they give anything. char has no value beyond the end.
#define RT_SELECT_NO_CHAR INT64_MIN
int64_t rt_select_char(const char *s, int64_t i);
int64_t rt_select_atoi(const char *s);
int64_t rt_select_strtol(const char *s, int64_t base);
int64_t rt_select_strtoul(const char *s, int64_t base);
double rt_select_strtod(const char *s);
int64_t rt_select_strlen(const char *s);
int64_t rt_select_strcmp(const char *a, const char *b);
int64_t rt_select_strncmp(const char *a, const char *b, int64_t n);
int64_t rt_select_strcasecmp(const char *a, const char *b);
int64_t rt_select_strncasecmp(const char *a, const char *b, int64_t n);

// Which of the texts, sorted by strcmp, it is; -1: none. Whether no two of them are equal.
int64_t rt_select_which(const char *s, const char *const *texts, size_t n);
int rt_select_distinct_ints(const int64_t *at, size_t n);
int rt_select_distinct_reals(const double *at, size_t n);
int rt_select_distinct_texts(const char *const *at, size_t n);
