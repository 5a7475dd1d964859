// The hash of a module: the same with and without -g, in another place; another for other code.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "ir/ir.h"

static char *hash_of(const char *flags, const char *source) {
  char *dir = file_temp_dir(), *c = file_join(dir, "x.c"), *out = file_join(dir, "x.bc");
  char *command = mem_format("%s -c -emit-llvm %s %s -o %s", CLANG, flags, c, out);
  Bytes code = {0};
  assert(!file_write(c, source, strlen(source), 0) && system(command) == 0 && !file_read(out, &code));
  Diags *d = diags_new();
  uint8_t hash[HASH_BYTES];
  assert(!hash_module(span_of(code.at, 99), hash, d));
  assert(hash_module(span_of(code.at, code.len), hash, d));
  diags_free(d);
  vec_free(&code);
  file_remove_tree(dir);
  mem_free(dir), mem_free(c), mem_free(out), mem_free(command);
  return hash_text(hash);
}

int main(void) {
  static const char one[] = "int g(int); int f(int x) { int y = x + 1; return g(y) * 2; }";
  static const char two[] = "int g(int); int f(int x) { int y = x + 1; return g(y) * 3; }";
  static const char *const flags[] = {"-O1", "-O1 -g", "-O1 -g -gdwarf-4", "-O1", "-O0", "-O1"};
  char *text[6];
  for (int i = 0; i < 6; ++i) text[i] = hash_of(flags[i], i == 5 ? two : one);
  assert(strlen(text[0]) == HASH_SHOWN && strspn(text[0], "0123456789abcdef") == HASH_SHOWN);
  assert(!strcmp(text[0], text[1]) && !strcmp(text[0], text[2]) && !strcmp(text[0], text[3]));
  assert(strcmp(text[0], text[4]) && strcmp(text[0], text[5]));
  for (int i = 0; i < 6; ++i) mem_free(text[i]);
}
