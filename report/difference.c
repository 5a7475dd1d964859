// As text two columns: the line as it is written, and the same line, nothing, or the line with what is
// constant in it now.
#include "difference.h"
#include "embed.h"

enum { LEFT = 64, TAB = 4 };

void differences_free(Differences *d) {
  for (vec_each(i, d)) {
    Difference *x = &d->at[i];
    for (vec_each(k, &x->lines)) mem_free(x->lines.at[k].facts);
    vec_free(&x->lines);
    mem_free(x->function), mem_free(x->file), mem_free(x->clone), mem_free(x->before), mem_free(x->after);
  }
  vec_free(d);
}

// With tabs as blanks, and nothing that could command a terminal.
static char *line_of(Sources *s, const Difference *d, uint32_t line) {
  Span at = sources_line(s, d->file, line);
  Bytes plain = {0};
  for (size_t i = 0; i < at.len; ++i)
    if (at.at[i] == '\t') do
        vec_push(&plain, ' ');
      while (plain.len % TAB);
    else
      vec_push(&plain, at.at[i]);
  vec_push(&plain, 0);
  char *clean = shown((const char *)plain.at);
  vec_free(&plain);
  return clean;
}

static size_t columns(const char *text) {
  size_t n = 0;
  for (; *text; ++text) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static bool is_gone(const DifferenceLine *l) {
  return l->code && !l->kept;
}

// -- text

static void put_line(const Difference *d, const DifferenceLine *l, Sources *s, Bytes *out) {
  char *text = line_of(s, d, l->line);
  size_t n = columns(text), pad = n < LEFT ? LEFT - n : 0;
  char *facts = l->facts ? mem_format("  // %s", l->facts) : mem_string("");
  if (is_gone(l))
    putf(out, "%5u - %s\n", l->line, text);
  else
    putf(out, "%5u   %s%*s | %s%s\n", l->line, text, (int)pad, "", text, facts);
  mem_free(facts), mem_free(text);
}

static void put_ir(const char *title, const char *ir, Bytes *out) {
  char *clean = NULL;
  putf(out, "\n; %s\n", title);
  for (const char *at = ir; *at;) {
    size_t len = strcspn(at, "\n");
    char *one = mem_format("%.*s", (int)len, at);
    clean = shown(one);
    putf(out, "%s\n", clean);
    mem_free(one), mem_free(clean);
    at += len + (at[len] == '\n');
  }
}

void difference_text(const Differences *all, Sources *s, Bytes *out) {
  for (vec_each(i, all)) {
    const Difference *d = &all->at[i];
    char *function = shown(d->function), *file = shown(d->file);
    const char *missing = d->before || sources_count(s, d->file) ? "" : ": not found, so only numbers of lines";
    putf(out, "%s%s, %s (%s%s)\n", i ? "\n" : "", function, d->clone, file, missing);
    mem_free(function), mem_free(file);
    if (d->before) {
      put_ir("as it was compiled", d->before, out);
      put_ir("on this schedule", d->after, out);
      continue;
    }
    for (vec_each(k, &d->lines)) put_line(d, &d->lines.at[k], s, out);
  }
}

// -- page

static void put_escaped(Bytes *out, const char *text) {
  for (; *text; ++text) {
    const char *as = *text == '<'   ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '&' ? "&amp;"
                     : *text == '"' ? "&quot;"
                                    : NULL;
    if (as)
      put(out, as);
    else
      vec_push(out, (unsigned char)*text);
  }
}

static void put_cell(Bytes *out, const char *kind, const char *text, const char *facts) {
  putf(out, "<td class=\"%s\"><code>", kind);
  put_escaped(out, text);
  put(out, "</code>");
  if (facts) {
    put(out, " <span class=\"fact\">");
    put_escaped(out, facts);
    put(out, "</span>");
  }
  put(out, "</td>");
}

static void put_row(const Difference *d, const DifferenceLine *l, Sources *s, Bytes *out) {
  char *text = line_of(s, d, l->line);
  putf(out, "<tr><td class=\"number\">%u</td>", l->line);
  put_cell(out, is_gone(l) ? "gone" : "same", text, NULL);
  put_cell(out, is_gone(l) ? "none" : l->facts ? "known" : "same", is_gone(l) ? "" : text, l->facts);
  put(out, "</tr>\n");
  mem_free(text);
}

static void put_section(const Difference *d, Sources *s, Bytes *out) {
  char *function = shown(d->function), *file = shown(d->file);
  put(out, "<section><h2>");
  put_escaped(out, function);
  putf(out, ", %s</h2><p>", d->clone);
  put_escaped(out, file);
  put(out, "</p><div class=\"wide\"><table>");
  if (d->before) {
    put(out, "<tr><td><pre>"), put_escaped(out, d->before), put(out, "</pre></td><td><pre>");
    put_escaped(out, d->after), put(out, "</pre></td></tr>");
  } else {
    put(out, "<thead><tr><th></th><th>as it is written</th><th>on this schedule</th></tr></thead><tbody>\n");
    for (vec_each(k, &d->lines)) put_row(d, &d->lines.at[k], s, out);
    put(out, "</tbody>");
  }
  put(out, "</table></div></section>\n");
  mem_free(function), mem_free(file);
}

void difference_html(const Differences *all, Sources *s, Bytes *out) {
  static const char css[] =
      "html, body { height: auto; }\n"
      "section { padding: 14px 16px; min-width: 0; } h1 { padding: 10px 16px; display: block; }\n"
      ".wide { overflow-x: auto; } table { border-collapse: collapse; }\n"
      "td { padding: 0 10px; white-space: pre; vertical-align: top; border-left: 1px solid var(--line); }\n"
      "th { text-align: left; padding: 2px 10px; color: var(--soft); font-weight: 500; }\n"
      ".number { color: var(--soft); text-align: right; border: 0; }\n"
      ".gone code { text-decoration: line-through; color: var(--bad); } .none { background: var(--panel); }\n"
      ".known { background: var(--panel); } .fact { color: var(--accent); }\n";
  Bytes body = {0};
  put(&body, "<h1>What a schedule leaves of the code</h1>\n");
  for (vec_each(i, all)) put_section(&all->at[i], s, &body);
  vec_push(&body, 0);
  const char *const scripts[] = {NULL};
  const char *rest = page_begin("Specialized code", css, (const char *)body.at, out);
  put(out, "{}");
  page_end(rest, scripts, out);
  vec_free(&body);
}
