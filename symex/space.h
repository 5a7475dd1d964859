// symex/space -- inside symex/: the inputs of a program as variables that many runs and constraints share.
// Its truths are not used.
#pragma once
#include "sliced.h"

Sliced *space_new(void);
void space_free(Sliced *s);
Bv space_atom(Sliced *s, Atom a);  // takes a.name; the variable of an equal one, if there is one
// A truth of a slice, of the space. Requires that only the input stands in it.
Bv space_import(Sliced *s, const Sliced *from, Bv x);
// A term of Σ. Comparisons with what is not there are false, as in Σ. BV_NONE: it is about more than numbers
// and texts of arguments and the environment.
Bv space_truth(Sliced *s, const Terms *terms, Term t);
