#include "findings_out.h"
#include <stdlib.h>
#include <unistd.h>
#include "options.h"
#include "verbs.h"

bool findings_out_read(const char *format, const char *path, const char *fail, FindingsOut *out, Diags *d) {
  static const struct {
    const char *word;
    void (*format)(const Report *r, Bytes *out, const FindingOptions *o);
  } formats[] = {{"text", finding_text},
                 {"json", finding_json},
                 {"sarif", finding_sarif},
                 {"html", finding_html},
                 {"github", finding_github}};
  const char *word = format ? format : "text";
  out->path = path ? path : "-";
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(formats[i].word, word)) out->format = formats[i].format;
  if (!out->format) diag_error(d, "--format must be text, json, sarif, html or github, not '%s'", word);
  bool known = !fail || finding_fail_parse(fail, &out->fail);
  if (!known) diag_error(d, "--fail-on must be possible, seen, replayed or new, not '%s'", fail);
  return out->format && known;
}

int findings_out_write(const FindingsOut *o, const Report *r, Diags *d) {
  Sources *sources = sources_new(r->directory);
  FindingOptions how = {.sources = sources, .all = o->all};
  Bytes text = {0};
  bool terminal = !strcmp(o->path, "-") && isatty(1);
  how.colour = o->format == finding_text && terminal && !getenv("NO_COLOR");
  o->format(r, &text, &how);
  write_out(o->path, &text, d);
  vec_free(&text);
  sources_free(sources);
  return stop_wanted() ? EXIT_INCOMPLETE : finding_exit(r, o->fail);
}
