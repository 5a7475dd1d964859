// alias/internal -- what the files behind alias.h share.
#pragma once
#include "alias.h"
#include "build.h"
#include "solve.h"

typedef struct Effects Effects;

struct Alias {
  Build build;
  System *sys;
  Summaries *summaries;
  Solution *sol;
  Lists targets;  // by index of System.calls: routines
  Map *calls;     // instruction -> index of the indirect call plus one
  bool *single;   // by object
  Effects *effects;
  Vec(AliasLayer) layers;
};

void alias_check(const Alias *a);  // asserts that it is whole
void alias_ranges_of(const Alias *a, uint32_t node, int64_t bytes, AliasRanges *out);
