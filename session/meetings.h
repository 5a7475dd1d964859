// session/meetings -- of two source lines, on one schedule: whether their accesses in its threads may touch
// the same bytes, as far as values tell.
#pragma once
#include "core/core.h"

typedef enum { MEETING_NO, MEETING_MAY, MEETING_MUST } MeetingAnswer;
typedef struct {
  char *first, *second;  // thread, what it does, and where
  MeetingAnswer answer;
  const char *why;
  bool ordered;  // never at the same time
} Meeting;
typedef Vec(Meeting) Meetings;

typedef struct {
  const char *app, *sigma;
  uint32_t schedule;
  const char *const *places;  // two, FILE:LINE
} MeetingsWish;
// Ascending by text. False after an error.
bool meetings_find(const MeetingsWish *w, Meetings *out, Diags *diags);
void meetings_free(Meetings *m);
