#include "embed.h"

EMBED(report_base_html, "base.html");
EMBED(report_base_css, "base.css");
EMBED(report_base_js, "base.js");

// What stands behind the mark.
static const char *put_until(const char *text, const char *mark, Bytes *out) {
  const char *at = strstr(text, mark);
  vec_append(out, text, (size_t)(at - text));
  return at + strlen(mark);
}

const char *page_begin(const char *title, const char *css, const char *body, Bytes *out) {
  const char *rest = put_until(report_base_html, "@TITLE@", out);
  put(out, title);
  rest = put_until(rest, "@CSS@", out);
  put(out, report_base_css);
  put(out, css);
  rest = put_until(rest, "@BODY@", out);
  put(out, body);
  return put_until(rest, "@DATA@", out);
}

void page_end(const char *rest, const char *const *scripts, Bytes *out) {
  rest = put_until(rest, "@JS@", out);
  put(out, report_base_js);
  for (; *scripts; ++scripts) put(out, *scripts);
  put(out, rest);
}
