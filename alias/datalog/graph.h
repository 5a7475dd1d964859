// datalog/graph -- BuDDy, and how it ends work: errors and spent budgets leave graph_try. Private to the
// folder.
//
// A BDD that is kept must be counted (bdd_addref); what an operation returns is not, and lives until the next
// one. graph_set and graph_move do it for variables that hold a BDD all the time.
#pragma once
#include <bdd.h>
#include "core/core.h"

typedef enum {
  GRAPH_DONE,
  GRAPH_TIME,    // the seconds are spent
  GRAPH_NODES,   // the table is full
  GRAPH_WORK,    // so many nodes were made
  GRAPH_STOPPED  // the user wants it
} GraphEnd;
typedef struct {
  double seconds;  // from graph_start on; 0: none
  size_t nodes;    // that exist at a time
  double work;     // nodes ever made; 0: none
} GraphBudget;

void graph_start(unsigned variables, const GraphBudget *budget);
void graph_relax(void);  // room for what reading results needs; no budget counts any more
void graph_stop(void);
bool graph_running(void);
// Runs f, which may leave at any operation: what it has allocated must be reachable from self.
GraphEnd graph_try(void (*f)(void *self), void *self);
void graph_check(void);      // leaves graph_try if a budget is spent
bool graph_spent(void);      // whether graph_check would leave
double graph_seconds(void);  // since graph_start
double graph_work(void);

void graph_set(BDD *slot, BDD value);  // slot holds a counted BDD, before and after
void graph_or(BDD *slot, BDD value);   // *slot |= value
void graph_and(BDD *slot, BDD value);
double graph_count(BDD b, BDD set);  // solutions over the variables of a set
