// Link recipes: what is read can be written, and comes out the same.
#include <assert.h>
#include "ir/ir.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *cut = memmem(data, size, "!<arch>", 7);
  size_t text = cut ? (size_t)(cut - data) : size;
  Recipe r, again;
  if (recipe_read(span_of(data, text), span_of(data + text, size - text), &r)) return 0;
  Bytes one = {0}, one_files = {0}, two = {0}, two_files = {0};
  recipe_write(&r, &one, &one_files);
  assert(!recipe_read(span_of(one.at, one.len), span_of(one_files.at, one_files.len), &again));
  recipe_write(&again, &two, &two_files);
  assert(one.len == two.len && !memcmp(one.at, two.at, one.len));
  assert(one_files.len == two_files.len && !memcmp(one_files.at, two_files.at, one_files.len));
  recipe_free(&r), recipe_free(&again);
  vec_free(&one), vec_free(&two), vec_free(&one_files), vec_free(&two_files);
  return 0;
}
