// What the models' streams are, for them alone.
#pragma once
#include <stdarg.h>
#include "host.h"

typedef struct Stream {
  int fd;  // -1: a text in memory
  bool reads, writes, line, plain, ended, failed, pushed;
  int back;
  unsigned long used;  // of what waits to be written
  char *to;            // of a text: where to write
  unsigned long room;  // with its NUL
  const char *from;    // of a text: what to read
  struct Stream *next;
  char buffer[4096];
} Stream;

extern Stream *stdin, *stdout, *stderr;
int stream_put(Stream *s, int c);
int stream_get(Stream *s);
void stream_unget(Stream *s, int c);
int stream_print(Stream *s, const char *format, va_list args);
int stream_scan(Stream *s, const char *format, va_list args);
