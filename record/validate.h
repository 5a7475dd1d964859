// record/validate -- whether the schedules of Σ are walks through the code of their module: sites exist and
// are what they are said to be, and from each event the next of its thread can be reached. sigma/order says
// the rest.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// Sites of the module that Σ calls excluded, for maysync_new_without; NULL if there are none. The caller
// frees.
bool *sigma_ordinary_sites(const Sigma *s, const Sites *sites);
// Of schedules that can have happened (sigma_check). One error for each that is not, naming the event.
// Functions that the module cannot know (callbacks by code outside) are entered where a schedule says so.
bool sigma_validate(const Sigma *s, const Sites *sites, const Callgraph *graph, const Maysync *sync,
                    Diags *diags);
size_t sigma_followed(const Sigma *s, uint32_t schedule, const Sites *sites, const Callgraph *graph,
                      const Maysync *sync, Diags *diags);  // how many events, from the first
