// datalog/engine -- what is there while a program is solved. Private to the folder.
#pragma once
#include "bits.h"
#include "steps.h"

// What a view is made with, and what it held when it was last brought up to date.
typedef struct {
  BDD value, seen;
  bool made;
  BDD constants, equal, any, all;
  bddPair *rename;
} ViewState;

typedef struct {
  BDD *last;     // by view of the step: what it held in the last run
  BDD *dropped;  // by view of the step: a set of variables
  BDD fixed;     // what the head says by itself: constants, equal attributes
  bddPair *rename;
  bool run;
  // for people
  double seconds;
  size_t runs, largest;
} StepState;

typedef struct {
  Ruleset *program;
  Layout *order;
  Plan *plan;
  Diags *diags;
  BDD *relations;  // by relation
  BDD *sets;       // by relation: its variables
  ViewState *views;
  StepState *steps;
  uint32_t step;  // at work, or the last one; NONE
  bool wrong;     // an input file is
  bool measured;  // steps count the nodes that they find
  // what would be lost if an operation leaves
  Vec(Bytes) scratch;
  Map *nodes;  // of the file that is being read
} Engine;

// Between graph_start and graph_stop. engine_begin and engine_run are for graph_try.
void engine_init(Engine *e);
void engine_free(Engine *e);
void engine_begin(void *engine);               // sets of variables, and what views and steps need
void engine_run(void *engine);                 // to the fixpoint
void *engine_scratch(Engine *e, size_t size);  // until engine_free

const Block *engine_block(const Engine *e, uint32_t relation, size_t attribute);
size_t engine_blocks(const Engine *e, uint32_t relation, const Block **out);  // of all attributes
double engine_size(const Engine *e, uint32_t relation);

// A step that numbers calling contexts. number.c
void number_paths(Engine *e, const Step *s);
// Rows of values as a BDD: (low, high) of each attribute in turn. rows.c
BDD rows_build(Engine *e, uint32_t relation, const uint64_t *ranges, size_t rows);
