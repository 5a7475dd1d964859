#include "bv.h"
#include <assert.h>

static const char *const words[] = {"const", "var", "+",  "-",   "*",    "udiv", "sdiv",  "urem",
                                    "srem",  "and", "or", "xor", "shl",  "lshr", "ashr",  "=",
                                    "u<",    "u<=", "s<", "s<=", "zext", "sext", "trunc", "ite"};

void bv_print(const Bvs *t, Bv x, unsigned depth, Bytes *out) {
  BvTerm e = bv_at(t, x);
  assert(e.op < sizeof words / sizeof *words);
  Bv parts[] = {e.a, e.b, e.c};
  char *text = e.op == BV_CONST ? mem_format("%lld", (long long)bv_signed(e.width, e.value))
               : e.op == BV_VAR ? mem_format("v%llu:%u", (unsigned long long)e.value, e.width)
                                : mem_format("(%s", words[e.op]);
  bytes_text(out, text);
  mem_free(text);
  if (e.op <= BV_VAR) return;
  for (int i = 0; i < 3; ++i) {
    if (parts[i] == BV_NONE) continue;
    bytes_text(out, " ");
    if (depth)
      bv_print(t, parts[i], depth - 1, out);
    else
      bytes_text(out, "...");
  }
  bytes_text(out, ")");
}
