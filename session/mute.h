// session/mute -- runs whose output nobody wants to see again.
#pragma once

typedef struct {
  int out, err;
} Muted;
Muted mute(void);
void unmute(Muted m);
