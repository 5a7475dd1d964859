// Workflow commands of GitHub: they show a finding at its line of a change. What ends a line or a property is
// escaped, so that no name can begin another command.
#include <inttypes.h>
#include "findings.h"

static void put_data(Bytes *out, const Bytes *text, bool property) {
  for (vec_each(i, text)) {
    unsigned char c = text->at[i];
    if (c == '%' || c < ' ' || (property && (c == ':' || c == ',')))
      putf(out, "%%%02X", c);
    else
      vec_push(out, c);
  }
}

static void put_property(Bytes *out, const char *name, const char *text) {
  Bytes b = {0};
  put_shown(&b, text);
  putf(out, "%s=", name);
  put_data(out, &b, true);
  vec_free(&b);
}

static void put_file(const Report *r, const FindingOptions *o, const char *file, uint32_t line,
                     uint32_t column, Bytes *out) {
  if (!file) return;
  char *name = source_name(r, o, file);
  put_property(out, "file", name);
  if (line) putf(out, ",line=%" PRIu32, line);
  if (line && column) putf(out, ",col=%" PRIu32, column);
  put(out, ",");
  mem_free(name);
}

static void put_side(const FindingAccess *a, bool place, Bytes *out) {
  put_access_word(a, false, out);
  put(out, " by ");
  put_thread_word(a->thread, out);
  if (a->at.function) put(out, " in "), put_shown(out, a->at.function);
  if (place && a->at.file) put(out, " at "), put_source_place(&a->at, out);
}

static void put_waits(const Finding *f, Bytes *m) {
  for (vec_each(i, &f->threads)) {
    const FindingThread *t = &f->threads.at[i];
    put(m, i ? "; " : "");
    put_thread_word(t->thread, m);
    for (vec_each(k, &t->holds)) put(m, k ? ", " : " holds "), put_shown(m, t->holds.at[k].object);
    put(m, t->holds.len ? " and waits " : " waits ");
    put_waits_for(t, m);
    if (i && t->at.file) put(m, " at "), put_source_place(&t->at, m);
  }
}

static void put_pair(const Finding *f, Bytes *m) {
  put_side(&f->a, false, m);
  put(m, " and ");
  put_side(&f->b, true, m);
  put(m, " of ");
  put_object_words(&f->object, m);
  put(m, " are not ordered");
}

static void put_finding(const Report *r, const FindingOptions *o, const Finding *f, Bytes *out) {
  Bytes m = {0}, title = {0};
  putf(out, "::%s ", f->known ? "notice" : f->status == FINDING_REPLAYED ? "error" : "warning");
  put_file(r, o, f->a.at.file, f->a.at.line, f->a.at.column, out);
  putf(&title, "%s (%s%s)", finding_headline(f), finding_status_word(f->status), f->known ? ", known" : "");
  put(out, "title="), put_data(out, &title, true), put(out, "::");
  if (f->threads.len)
    put_waits(f, &m);
  else
    put_pair(f, &m);
  if (f->followed) put(&m, "; in the replay: "), put_shown(&m, f->followed);
  if (finding_seen_text(f->seen)) putf(&m, "; in a run: %s", finding_seen_text(f->seen));
  if (f->input) put(&m, "\nInput: "), put_shown(&m, f->input);
  if (f->recorded) put(&m, "\nComputed from the recorded one: "), put_shown(&m, f->recorded);
  put_data(out, &m, false);
  put(out, "\n");
  vec_free(&m), vec_free(&title);
}

void finding_github(const Report *r, Bytes *out, const FindingOptions *o) {
  Bytes said = {0};
  for (vec_each(i, &r->findings))
    if (finding_open(&r->findings.at[i])) put_finding(r, o, &r->findings.at[i], out);
  for (vec_each(i, &r->incomplete)) {
    const FindingGap *g = &r->incomplete.at[i];
    Bytes text = {0};
    put(out, "::warning ");
    put_file(r, o, g->file, g->line, 0, out);
    putf(out, "title=%s check incomplete::", finding_noun(r));
    put_shown(&text, g->text);
    put_data(out, &text, false);
    put(out, "\n");
    vec_free(&text);
  }
  Counts c = counts_of(r);
  if (c.fresh + c.known) return;
  put_clean(r, &said);
  putf(out, "::notice title=%s check::", finding_noun(r));
  put_data(out, &said, false);
  put(out, "\n");
  vec_free(&said);
}
