// What tests say of pointers: tests/unit/alias.c finds these calls and compares. Places are OBJECT+OFFSET,
// +FIRST%STRIDE, +FIRST%STRIDE<END; new:LINE:COLUMN is what an allocation makes, lib:F the library's memory, ?
// unknown. In alphabetical order.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void expect(const volatile void *p, const char *places);
void expect_escaped(const volatile void *p);
void expect_private(const volatile void *p);
#ifdef __cplusplus
}
#endif
