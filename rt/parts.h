// rt/parts -- the reader's files share this: a recording in memory, and the packed form of it.
#pragma once
#include "codec.h"
#include "reader.h"

// One file of a recording: p(rocess), n(otes), e(vents), b(ranches), w(aits). Sorted by kind, thread, segment.
typedef struct {
  unsigned char kind;
  uint32_t thread, segment;
  unsigned char *at;
  size_t size;
} Part;

struct RtRecording {
  Part *parts;
  size_t count, room;
  size_t *threads;  // where the events of each thread begin
  size_t threads_count;
  RtProcess process;
};

void cursor_copy(RtCursor *to, const RtCursor *from);

// A packed recording: a head, then each part with its bytes behind it.
#define PACK_MAGIC "SPRK"
typedef struct {
  char magic[4];
  uint32_t version;
} PackHead;
typedef struct {
  uint32_t kind, thread, segment, unused;
  uint64_t size, sum;  // FNV-1a of the bytes
} PackPart;
