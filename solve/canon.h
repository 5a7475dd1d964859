// solve/canon -- questions told apart by their form: two that differ in the names of their variables only are
// one.
#pragma once
#include "bv.h"

// Adds the form of the terms, in their order; shared parts once.
void canon_write(const Bvs *t, const Bv *terms, size_t count, Bytes *out);
