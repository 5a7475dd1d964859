// rt/select -- what a dispatcher calls at the dispatch point: the atoms and functions of constraints
// (docs/sigma.md), and what the person asked for. Nothing here changes anything, errno included; whatever has
// no value says so.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// SPECIALIZE_SCHEDULE: RT_CHOICE_TEST where it is not set (or cannot be understood: said once on stderr),
// RT_CHOICE_NONE for none, else its number.
enum { RT_CHOICE_TEST = -1, RT_CHOICE_NONE = -2 };
int64_t rt_select_choice(void);
// With SPECIALIZE_VERBOSE=1 exactly one line on stderr. id < 0: no schedule fits, original code.
void rt_select_tell(int64_t id);
// A schedule was asked for by number that the program does not hold: says so, exit status 2.
void rt_select_unknown(int64_t id);
