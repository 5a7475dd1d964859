// race/seen -- what one run of the schedule shows of pairs of accesses (replay/evidence). It says which are
// told first, and which are looked at although there are more than anyone reads; never that a pair is none.
#pragma once
#include "race.h"

typedef struct Seen Seen;
// Runs the program. NULL: it could not be run so; the report says why, also where the run was cut short.
Seen *seen_new(const RaceOptions *o, const Accesses *all, const bool *wanted, Report *report);
void seen_free(Seen *s);
FindingSeen seen_of(const Seen *s, size_t access, size_t other);
// Accesses of places that touched the same byte, strongest first: pair n of them; false behind the last.
bool seen_pair(const Seen *s, size_t n, Ids *some, Ids *others);
