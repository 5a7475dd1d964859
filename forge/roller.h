// forge/roller -- the program that keeps its schedules in its own code: hooks at its events, and the
// schedules beside it as bytes (rt/roll.h).
#pragma once
#include "specializer.h"

// in: of the untouched module of `l`. ordinary: by site, its operations are no events; NULL. False with an
// error.
bool roller_build(const Program *l, const char *app, const CfspecInput *in, const bool *ordinary,
                  const EmitOptions *e, const SpecializerOptions *o, SpecializerFigures *out, Diags *d);
// specializer.c: runtime: "enforce" or "roll".
bool link_specialized(const Program *l, const SpecializerOptions *o, const char *runtime,
                      const Objects *objects, Diags *d);
