// For models that print.
#pragma once
typedef struct Stream Stream;
extern Stream *stderr;
int fprintf(Stream *s, const char *format, ...);
