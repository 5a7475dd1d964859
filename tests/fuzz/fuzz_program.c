// What a program carries: its sections as they are, and, sealed so that the checksum does not keep the fuzzer
// out, compressed data; then what a stored link may tell the linker.
#undef NDEBUG
#include <assert.h>
#include "fuzz.h"
#include "ir/ir.h"

static void judge_link(const Recipe *r) {
  Strings all = {0};
  for (vec_each(i, &r->args)) vec_push(&all, r->args.at[i].text);
  mem_free(linker_refuses(&all));
  assert(linker_known(r->linker));
  vec_free(&all);
}

static void read_sealed(Span data) {
  Bytes sealed = {0}, out = {0};
  vec_append(&sealed, data.at, data.len);
  pack_seal(&sealed, 0);
  assert(!unpack(span_of(sealed.at, sealed.len), &out) || !out.at);
  vec_free(&sealed), vec_free(&out);
}

// A text with a word on each line, as arguments.
static void read_words(Span data) {
  Strings words = {0};
  for (size_t i = 0, from = 0; i <= data.len; ++i)
    if (i == data.len || data.at[i] == '\n') {
      vec_push(&words, mem_format("%.*s", (int)(i - from), (const char *)data.at + from));
      from = i + 1;
    }
  char *why = linker_refuses(&words);
  for (vec_each(i, &words))  // whatever stands around it
    if (words.at[i][0] == '@') assert(why);
  mem_free(why);
  strings_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diags *d = diags_new();
  App a;
  if (app_parse("fuzz", span_of(data, size), &a, d)) {
    judge_link(&a.recipe);
    app_free(&a);
  }
  if (size && size < 4096) read_sealed(span_of(data, size)), read_words(span_of(data, size));
  diags_free(d);
  return 0;
}
