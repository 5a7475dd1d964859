// app/run -- other programs: found, started, waited for, and their end taken over.
#pragma once
#include "core/core.h"

// An argument vector that ends in NULL once args_done was called; owns its strings.
typedef Strings Args;
void args_add(Args *a, const char *s);
void args_addf(Args *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void args_all(Args *a, char *const *from);
char **args_done(Args *a);
void args_free(Args *a);

// Runs and waits; signals that end us are passed on. `out_fd` becomes its stdout unless -1. Returns the wait
// status, or -1 with errno if it could not be started.
int run_wait(char *const *argv, int out_fd);
// Runs with stdout collected.
int run_collect(char *const *argv, Bytes *out);
// Replaces this process; returns (with errno) only if that fails.
int run_instead(char *const *argv);
// Ends this process the way the other one ended: same exit status, or same signal.
_Noreturn void end_like(int wait_status);

char *self_path(void);          // of this program's binary
char *self_dir(void);           // where that is
char *clang_path(bool cxx);     // $SPECIALIZE_CLANG, else the one found when we were built
bool env_on(const char *name);  // set, and neither empty nor 0
// A warning for each SPECIALIZE_… variable that we do not know.
void env_check(Diags *d);
