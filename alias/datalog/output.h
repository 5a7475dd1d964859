// datalog/output -- relations as text and files. Private to the folder.
#pragma once
#include "engine.h"

void output_size(Bytes *out, double size);  // 4523260, or 9.4925e+24
void output_bdd(Engine *e, uint32_t relation, Bytes *out);
// A row a line. False: more than LIMIT_DATALOG_TUPLES rows; the first ones are there.
bool output_tuples(Engine *e, uint32_t relation, Bytes *out);
bool output_named(Engine *e, uint32_t relation,
                  Bytes *out);  // with attributes and names of values, for people
