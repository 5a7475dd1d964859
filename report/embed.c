#include "embed.h"

EMBED(report_base_css, "base.css");
EMBED(report_base_js, "base.js");

// What stands behind the mark.
static const char *put_until(const char *text, const char *mark, Bytes *out) {
  const char *at = strstr(text, mark);
  vec_append(out, text, (size_t)(at - text));
  return at + strlen(mark);
}

const char *page_begin(const char *page, const char *css, Bytes *out) {
  page = put_until(page, "@CSS@", out);
  put(out, report_base_css);
  put(out, css);
  return put_until(page, "@DATA@", out);
}

void page_end(const char *page, const char *const *scripts, Bytes *out) {
  page = put_until(page, "@JS@", out);
  put(out, report_base_js);
  for (; *scripts; ++scripts) put(out, *scripts);
  put(out, page);
}
