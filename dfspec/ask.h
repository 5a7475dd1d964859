// dfspec/ask -- what flow/ answers at the probes.
#pragma once
#include "probe.h"

// copy: with probes; it becomes the flat view. facts: of probes_place. False with an error.
bool facts_ask(const DfspecInput *in, LLVMModuleRef copy, Facts *facts, Diags *diags);
