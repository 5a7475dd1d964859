// sigma/file -- app.sigma: the strict reader, the writer. The form of the file is in docs/sigma.md.
#pragma once
#include "model.h"

// NULL after an error, which names file and line. Every id resolves in what is returned; whether its
// schedules can have happened is for sigma_check to say.
Sigma *sigma_read(const char *path, Diags *diags);
Sigma *sigma_parse(Span text, const char *path, Diags *diags);
void sigma_print(const Sigma *s, Bytes *out);
void schedule_print(const Sigma *s, uint32_t id, Bytes *out);
// Parts of an event's line: wait-arrive; m0; how it ended, NULL if that needs no word.
void event_word_print(const Event *e, Bytes *out);
void outside_print(const Sigma *s, const SigmaOutside *o, Bytes *out);  // for people: libx.so made 1 thread
void object_print(const Schedule *c, uint32_t object, Bytes *out);
const char *event_result(const Event *e);
void event_print(const Sigma *s, const Schedule *c, uint32_t event, Bytes *out);  // without the line's end
// False with an error: what is there cannot be read and then be written again, like a pipe.
bool sigma_updatable(const char *path, Diags *diags);
// In one step: the file is the old one or the new one, never half. False after an error.
bool sigma_save(const Sigma *s, const char *path, Diags *diags);
