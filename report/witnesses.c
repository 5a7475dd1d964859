#include "witnesses.h"

void witnesses_free(WitnessVec *v) {
  for (vec_each(i, v)) {
    for (vec_each(k, &v->at[i].of)) sigma_free(v->at[i].of.at[k]);
    vec_free(&v->at[i].of), vec_free(&v->at[i].inputs);
  }
  vec_free(v);
}
