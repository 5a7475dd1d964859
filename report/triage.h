// report/triage -- which findings are already known, unwanted or harmless. Marks them; drops none.
#pragma once
#include "formats.h"

// A file of suppressions (specialize-suppressions(5)). NULL after an error, which names file and line.
typedef struct Suppressions Suppressions;
Suppressions *suppressions_parse(const char *file, Span text, Diags *diags);
void suppressions_free(Suppressions *s);
void suppressions_apply(Suppressions *s, Report *r);
void suppressions_unused(const Suppressions *s, Diags *diags);  // a warning for each that matched nothing

// Marks what an earlier report holds too: by source line, or, where lines have moved, by functions and
// object.
void baseline_mark(Report *r, const Report *earlier);

// `specialize: benign` in a comment on the line of an access, or alone on the line above, makes a finding
// benign. What stands behind it is the reason.
void annotations_apply(Report *r, Sources *sources);
// Whether a comment of this line says so; with `alone` only if there is nothing else on the line.
bool annotation_benign(Span line, bool alone, Span *reason);
