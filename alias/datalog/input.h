// datalog/input -- the files of relations. Private to the folder.
#pragma once
#include "engine.h"

// Inputs of an engine that has begun; an error of a file sets engine->wrong. For graph_try.
void input_load(void *engine);
