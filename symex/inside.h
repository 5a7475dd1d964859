// symex/inside -- inside symex/: what the walk needs to know of a runner.
#pragma once
#include "bytecode.h"
#include "host.h"
#include "run.h"

const Bytecode *runner_code(const Runner *r);
