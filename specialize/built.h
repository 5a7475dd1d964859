// specialize/built -- what a build tells on standard error.
#pragma once
#include "forge/forge.h"

void built_tell(const SpecializerOptions *o, const SpecializerFigures *f);
void built_tell_timings(const SpecializerOptions *o, const SpecializerFigures *f);
