// capture/objects -- the objects that a link took, opened: machine code, bitcode, how it was compiled.
#pragma once
#include <sys/types.h>
#include "app/app.h"

typedef struct {
  dev_t dev;
  ino_t ino;
} FileId;

typedef struct {
  char *name;      // for people: a.o, or lib.a(member.o)
  FileId file;     // of the object or its archive
  bool member;     // of an archive (a thin one's members are files)
  bool system;     // comes with the compiler or the system: its lack of bitcode is no news
  bool ambiguous;  // several members of this name, and the linker took only some
  Span data;       // of the object itself
  Spans bitcode;   // empty: none
  char *why;       // why there is none
  char *flags;     // the compiler's flags that matter for compiling again
} Object;
typedef Vec(Object) ObjectList;

typedef struct Objects Objects;
Objects *objects_open(const Trace *t);
void objects_free(Objects *o);
ObjectList *objects_list(Objects *o);
bool file_id(const char *path, FileId *id);
static inline bool same_file(FileId a, FileId b) {
  return a.dev == b.dev && a.ino == b.ino;
}
