// specialize/race_replay -- the witnesses of findings, tried on the program.
#pragma once
#include "race/race.h"

// Sets status, what followed, and why. Takes about so many seconds at most; what is left then stays possible.
void race_replay(const char *app, Report *r, const RaceWitnessVec *witnesses, double seconds, Diags *diags);
