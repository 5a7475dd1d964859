// replay/told -- what came of a replay, for people and for tools.
#pragma once
#include "replayer.h"
#include "report/report.h"

void replay_text(const Sigma *witness, const ReplayResult *r, Bytes *out);
void replay_json(const Sigma *witness, const ReplayResult *r, Bytes *out);  // docs/replay.schema.json
// Warns of what another run would need to see the same, and the witness does not hold.
void replay_lost(const Sigma *witness, Diags *diags);
