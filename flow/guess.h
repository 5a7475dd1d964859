// flow/guess -- what is supposed of a view while it is looked at, and proved with what is then known. Without
// it one pointer that is not known makes calls through pointers reach anything, so memory may hold anything,
// so more pointers are not known. So calls begin with no target, and gain the one that their pointer is found
// to have; pointers to members of C++ begin as if no step were added to `this`; functions that nothing reaches
// do nothing. What cannot be proved is supposed no more. What is left was true in the first step of a run, and
// in each that follows steps in which it was true.
#pragma once
#include "knower.h"

typedef struct Guess Guess;
Guess *guess_new(LLVMModuleRef view);
void guess_free(Guess *g);
const AliasGuess *guess_given(const Guess *g);
void guess_give_up(Guess *g);  // nothing is supposed any more
// With the answers under these suppositions: false if some were given up or changed, and all must be asked
// anew.
bool guess_prove(Guess *g, const Code *c, const Alias *a, Known *v);
