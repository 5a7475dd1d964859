// report -- schedules and findings, shown. Include this, never a header behind it.
//
// In: a Σ with its orders (Shown), or a Report: the findings of an analysis, plain data with interned texts,
// and what it could not look at. Out: text, JSON (docs/*.schema.json), SARIF, GitHub annotations, a Chrome
// trace, a page that needs no other file. Suppressions, baselines and annotations mark findings (triage).
// Names are shown escaped: nothing raw reaches a terminal, a parser or a browser. Judges nothing itself.
#pragma once
#include "from_run.h"
#include "triage.h"
#include "witnesses.h"
#include "difference.h"
#include "json.h"
#include "slice.h"
#include "standing.h"
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
