// The example of docs/sigma.md is what it says it is: canonical, possible, and ordered as told.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "sim.h"

static Span example_of(const Bytes *page) {
  static const char begin[] = "\n```\nsigma 1\n";
  const unsigned char *at = memmem(page->at, page->len, begin, sizeof begin - 1);
  assert(at);
  at += 5;
  const unsigned char *end = memmem(at, page->len - (size_t)(at - page->at), "```\n", 4);
  assert(end);
  return span_of(at, (size_t)(end - at));
}

int main(void) {
  Bytes page = {0}, printed = {0};
  assert(!file_read(SPEC_SOURCE "/docs/sigma.md", &page));
  Span example = example_of(&page);
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(example, "example.sigma", diags);
  Order *o = s ? order_new(s, 0, diags) : NULL;
  diags_print(diags, stderr, "test");
  assert(o && !diags_count(diags));
  sigma_print(s, &printed);
  assert(printed.len == example.len && !memcmp(printed.at, example.at, example.len));
  static const uint32_t waits[][2] = {{3, 0}, {5, 2}, {8, 7}, {12, 11}};
  size_t told = 0;
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    const OrderWait *w;
    size_t n = order_waits(o, i, &w);
    for (size_t k = 0; k < n; ++k, ++told) assert(waits[told][0] == i && waits[told][1] == w[k].event);
  }
  assert(told == 4);
  order_free(o);
  sigma_free(s);
  diags_free(diags);
  vec_free(&page);
  vec_free(&printed);
  return 0;
}
