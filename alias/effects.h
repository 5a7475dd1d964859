// alias/effects -- behind alias_modref, alias_threads and alias_shared.
#pragma once
#include "internal.h"
#include "once.h"

Effects *effects_new(const Alias *a, const Once *once);
void effects_free(Effects *e);
void effects_check(const Effects *e);  // asserts that it is whole
