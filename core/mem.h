// core/mem -- the one allocator. Running out of memory ends the tool: nothing sensible is left to do.
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

// Memory is zeroed. Free with mem_free; mem_free(NULL) does nothing.
void *mem_alloc(size_t size);
void *mem_array(size_t count, size_t size);  // dies on overflow of the product
void *mem_resize(void *p, size_t size);
void *mem_copy(const void *p, size_t size);
char *mem_string(const char *s);
char *mem_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vformat(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));
void mem_free(void *p);

// What is called when there is no memory; must not return. Tests replace it.
typedef void MemExhausted(size_t wanted);
void mem_on_exhausted(MemExhausted *f);
