// report -- how schedules are shown: as text, as JSON (docs/show.schema.json), as a Chrome trace, as a page;
// and what analyses find: finding.h, what they fill in. What names hold is shown escaped, never passed on to
// a terminal, a parser or a browser.
#pragma once
#include "from_run.h"
#include "triage.h"
#include "witnesses.h"
#include "json.h"
#include "sigma/sigma.h"

// Schedules first, first + 1 ... of a Σ, by their orders.
typedef struct {
  const Sigma *sigma;
  uint32_t first, count;
  Order *const *orders;
} Shown;

void report_summary(const Shown *s, Bytes *out);    // what is in there
void report_schedules(const Shown *s, Bytes *out);  // the same, and every event
void report_json(const Shown *s, Bytes *out);
void report_trace(const Shown *s, Bytes *out);  // for Perfetto
void report_html(const Shown *s, Bytes *out);   // one file that needs no other
