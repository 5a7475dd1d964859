// report/summary -- inside report/: the fields that all JSON about a Σ, and about a schedule, begins with.
#pragma once
#include "json.h"
#include "report.h"

void put_sigma_fields(const Sigma *s, Json *j);
void put_schedule_fields(const Sigma *s, uint32_t id, Json *j);
