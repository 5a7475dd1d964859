// What the models of libstdc++ share. Names of functions are mangled.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "host.h"

#define NAMED(result, name, symbol, ...)    \
  result name(__VA_ARGS__) __asm__(symbol); \
  result name(__VA_ARGS__)

// Type information: a vtable, a name, a base.
typedef struct {
  const void *table;
  const char *name;
  const void *base;
} Info;
extern const void *const class_table[] __asm__("_ZTVN10__cxxabiv117__class_type_infoE");
extern const void *const single_table[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");

typedef struct {
  char *text;
  unsigned long size, here[2];
} String;

void *specialize_new(unsigned long n, unsigned long align);
void specialize_throw_length(const char *text);
void specialize_throw_range(const char *text);
void specialize_throw_range_format(const char *format, ...);
