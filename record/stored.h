// record/stored -- inside Σ, what a run read: a copy if it is small, else its hash.
#pragma once
#include "sigma/sigma.h"

typedef struct Stored Stored;
Stored *stored_new(void);
void stored_free(Stored *x);
void stored_add(Stored *x, const void *at, size_t size);
uint64_t stored_size(const Stored *x);
SigmaInput stored_input(const Stored *x, Sigma *s, const char *name);  // x NULL: lost
// All that follows from a place on in an open file; NULL if it cannot be read.
Stored *stored_from(int fd, uint64_t from);
void stored_check(const Stored *x);  // asserts that it is whole
