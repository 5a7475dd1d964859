// core/intern -- strings to dense ids 0, 1, 2 … in the order of first sight, and back. Owns its copies.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define INTERN_NONE UINT32_MAX

typedef struct Intern Intern;
Intern *intern_new(void);
void intern_free(Intern *t);
uint32_t intern_id(Intern *t, const char *s, size_t len);          // adds it if it is new
uint32_t intern_find(const Intern *t, const char *s, size_t len);  // INTERN_NONE if it is not there
const char *intern_text(const Intern *t, uint32_t id);             // NUL-terminated; lives as long as t
uint32_t intern_count(const Intern *t);
void intern_check(const Intern *t);  // asserts that it is whole
