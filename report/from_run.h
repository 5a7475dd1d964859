// report/from_run -- what schedules and witnesses tell of a finding.
#pragma once
#include "finding.h"
#include "sigma/sigma.h"

// The command of the run that a schedule was recorded from, and what it read from standard input.
void finding_input(Report *r, Finding *f, const Sigma *s, uint32_t schedule);
// Instead: another input, that of the first schedule of `with`, whose variables are those that are not as
// recorded.
void finding_computed(Report *r, Finding *f, const Sigma *s, uint32_t schedule, const Sigma *with);
// The interleaving: the events of a witness and its two accesses, the first being that of f->a.
void finding_steps(Report *r, Finding *f, const Sigma *witness);
