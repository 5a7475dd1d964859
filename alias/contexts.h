// alias/contexts -- the solution made smaller by calling contexts: share/specialize/points-to.datalog,
// solved. Private to the folder.
#pragma once
#include "internal.h"

// False: a budget ran out, which diags tell, and the solution stays as it was. Otherwise the set of a node
// holds what it has in any context.
bool contexts_refine(Alias *a, const AliasContexts *how, Diags *diags);
