// session/hang -- a recorded run that goes on no more: all its threads wait for each other, or its time is
// over.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

typedef enum { HANG_NONE, HANG_STANDS, HANG_TIMEOUT } HangEnd;
typedef struct Hang Hang;
// Looks on from another thread, and ends the process: when all of its threads have waited for a while for
// what only one of them can give, or after so many seconds. runs: where it records; seconds 0: no limit.
Hang *hang_watch(const char *runs, pid_t pid, double seconds);
HangEnd hang_over(Hang *h);  // when it has ended: why. Frees it
