// replay/judge -- the witnesses of findings, tried on the program.
#pragma once
#include "report/report.h"

// Sets status, what followed, and why. A witness that was seen, with another input than the first, becomes
// the first. Takes about so many seconds at most; what is left then stays possible.
void replay_findings(const char *app, Report *r, WitnessVec *witnesses, double seconds, Diags *diags);
