// report/formats -- findings for people and tools. All of them take a settled report. Suppressed findings are
// counted by all, and listed in SARIF and on the page only.
#pragma once
#include "finding.h"

// Lines of source files, read when asked for. A file that cannot be read has no lines.
typedef struct Sources Sources;
Sources *sources_new(const char *directory);  // of relative names; NULL: the current one
void sources_free(Sources *s);
uint32_t sources_count(Sources *s, const char *file);  // how many lines; 0 if it cannot be read
Span sources_line(Sources *s, const char *file,
                  uint32_t line);  // from 1, without its end; at is NULL if there is none

typedef struct {
  bool colour;       // text only, and only for a terminal
  bool all;          // text only: each finding in full, not only those that were replayed
  Sources *sources;  // NULL: no source is shown
  const char *root;  // SARIF and annotations: files below it are named relative to it; NULL: Report.directory
} FindingOptions;

// The name of a file as people and tools get it: relative to the root if it is below it, else absolute,
// without . and .. on the way. The caller's to free.
char *source_name(const Report *r, const FindingOptions *o, const char *file);

void finding_text(const Report *r, Bytes *out, const FindingOptions *o);
// What --explain shows.
void decisions_text(Bytes *out);
void decisions_json(Bytes *out);
// Of a program that was built from what was examined: whether runs of it may differ, and by what.
void report_promise(const Report *r, const char *program, Bytes *out);
void finding_json(const Report *r, Bytes *out, const FindingOptions *o);  // docs/race.schema.json
void finding_sarif(const Report *r, Bytes *out, const FindingOptions *o);
void finding_html(const Report *r, Bytes *out, const FindingOptions *o);    // one file that needs no other
void finding_github(const Report *r, Bytes *out, const FindingOptions *o);  // ::error file=...,line=...
// Reads what finding_json wrote. NULL after an error, which names file and line.
Report *finding_parse(const char *file, Span text, Diags *diags);

// Whether a finding is told as one: not benign, not refuted, not suppressed.
bool finding_open(const Finding *f);
typedef enum { FAIL_POSSIBLE, FAIL_NEW, FAIL_SEEN, FAIL_REPLAYED } FindingFail;
bool finding_fail_parse(const char *word, FindingFail *out);
int finding_exit(const Report *r, FindingFail on);  // 0 clean, 1 findings, 3 incomplete
