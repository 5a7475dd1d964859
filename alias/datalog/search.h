// datalog/search -- a better order of variables. Private to the folder.
#pragma once
#include "engine.h"

// Solves the program again and again under other orders, and leaves the best one in e->order. What counts is
// the number of BDD nodes that a run makes, so the outcome does not depend on the machine. Returns how many
// runs were made; seconds, nodes: for all of them together, and for each.
size_t search_order(Engine *e, const GraphBudget *budget, size_t trials, double *first, double *best);
