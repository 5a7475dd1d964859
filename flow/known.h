// flow/known -- values of a flat view as terms: what the code computes, with what memory holds where that is
// known. Roots run once, so what is computed outside loops there is one value, the same for whoever asks;
// what is computed in a loop around the place that asks is a value of that side, in any iteration.
//
// Facts hold by DESIGN rule 1: conditions of branches that were taken on the way, in this thread and in those
// that created it.
#pragma once
#include "flow.h"
#include "solve/solve.h"

typedef struct Known Known;
// All must outlive it.
Known *known_new(const Code *c, const Alias *a, const Accesses *accesses, bool volatile_known);
void known_free(Known *v);
Bvs *known_terms(const Known *v);
// To be told before anything is asked: the value of an instruction or an argument, a truth about the input;
// and a name for a variable.
void known_define(Known *v, LLVMValueRef x, Bv value);
void known_written(Known *v, LLVMValueRef call, LLVMValueRef pointer,
                   Bv value);  // what is there behind the call
void known_fact(Known *v, Bv truth);
uint64_t known_fresh(Known *v);
// BV_NONE: of a type that is no number of at most 64 bits. side: 1 or 2.
Bv known_value(Known *v, LLVMValueRef x, LLVMValueRef at, unsigned side);
// What is known where `at` stands: whatever has to do with the variables of these terms, directly or not.
void known_facts(Known *v, LLVMValueRef at, unsigned side, const BvVec *terms, BvVec *out);
Bv known_initial(Known *v, const Access *load);  // before anything was written there; BV_NONE: not known
// In one root, the first of them is never executed after the second.
bool known_before(const Known *v, LLVMValueRef first, LLVMValueRef second);
bool known_dead(Known *v, LLVMValueRef at);  // it is never reached
// The address of an object: a variable, an alloca, what one allocation made. NULL: it is none.
LLVMValueRef known_object(const Known *v, Bv x);
bool known_round(const Known *v, Bv x);  // a variable: how often a loop has been gone around
// The objects of alias/ that an address is in. False: not known.
bool known_objects(const Known *v, Bv address, IdVec *out);
// Both addresses are in objects that are known, and in no common one.
bool known_apart(const Known *v, Bv x, Bv y);
bool known_single(const Known *v, Bv x);  // the same for both sides
// Lets calls through pointers name the functions that are known; how many. To be done first.
size_t known_call(Known *v);
// The writes that a load in a root may read. False: not known.
bool known_defs(Known *v, const Access *load, FlowDefs *out);
// Puts constants into the code where values are known; how many. After that v knows nothing of it any more.
size_t known_substitute(Known *v);
