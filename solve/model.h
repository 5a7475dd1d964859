// solve/model -- one value for each of some variables, and what terms are then.
#pragma once
#include "bv.h"

typedef struct {
  BvVec vars;  // ascending
  Vec(uint64_t) values;
} Model;
void model_free(Model *m);
void model_vars(const Bvs *t, const Bv *terms, size_t count, BvVec *out);  // all of them; ascending
// False: a variable of x has no value.
bool model_value(const Bvs *t, const Model *m, Bv x, uint64_t *out);
