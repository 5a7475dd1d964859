// specialize/race_replay -- the witnesses of findings, tried on the program.
#pragma once
#include "race/race.h"

// Sets status, what followed, and why. A witness that was seen, with another input than the first, becomes
// the first. Takes about so many seconds at most; what is left then stays possible.
void race_replay(const char *app, Report *r, RaceWitnessVec *witnesses, double seconds, Diags *diags);
