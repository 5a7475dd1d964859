#include "bitcode.h"

enum { BITCODE_MAGIC = (int)0xdec04342, ENTER_BLOCK = 1, MODULE_BLOCK = 8 };

static uint32_t word(Span s, size_t at) {
  uint32_t w;
  memcpy(&w, s.at + at, sizeof w);
  return w;
}

bool bitcode_is(Span s) {
  return s.len >= 4 && word(s, 0) == (uint32_t)BITCODE_MAGIC;
}

// A top-level block is a word (2 bits "enter", 8 bits block id, abbreviation width), its length in words, its
// contents. Returns where the module that starts at `at` ends, 0 if it is broken.
static size_t module_end(Span s, size_t at, bool *has_module) {
  size_t i = at + 4;
  while (s.len - i >= 4 && word(s, i) != (uint32_t)BITCODE_MAGIC) {
    uint32_t head = word(s, i);
    if (head == 0) {  // padding up to the next section's alignment
      i += 4;
      continue;
    }
    if ((head & 3) != ENTER_BLOCK || s.len - i < 8) return 0;
    uint64_t size = 8 + 4 * (uint64_t)word(s, i + 4);
    if (size > s.len - i) return 0;
    *has_module |= (head >> 2 & 0xff) == MODULE_BLOCK;
    i += size;
  }
  return i;
}

const char *bitcode_split(Span joined, Spans *out) {
  size_t at = 0;
  while (joined.len - at >= 4) {
    bool has_module = false;
    size_t end =
        bitcode_is(span_of(joined.at + at, joined.len - at)) ? module_end(joined, at, &has_module) : 0;
    if (!end || !has_module) {
      vec_free(out);
      return "broken bitcode";
    }
    Span one = span_of(joined.at + at, end - at);
    vec_push(out, one);
    at = end;
  }
  while (at < joined.len && !joined.at[at]) ++at;
  if (at < joined.len || !out->len) {
    vec_free(out);
    return joined.len ? "broken bitcode" : "no bitcode";
  }
  return NULL;
}
