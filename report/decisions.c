// What --explain shows: the log of decisions (core/decision), as lines or as JSON (docs/explain.schema.json).
#include <inttypes.h>
#include "findings.h"

static void put_line(const Decision *d, Bytes *out) {
  if (d->file) {
    put_shown(out, d->file);
    if (d->line) putf(out, ":%u", d->line);
    if (d->line && d->column) putf(out, ":%u", d->column);
    put(out, ": ");
  }
  putf(out, "%s: ", d->stage);
  put_shown(out, d->what);
  put(out, ": ");
  put_shown(out, d->why);
  if (d->times > 1) putf(out, " (%" PRIu64 " times)", d->times);
  put(out, "\n");
}

void decisions_text(Bytes *out) {
  for (size_t i = 0; i < decisions_count(); ++i) {
    Decision d = decision_at(i);
    put_line(&d, out);
  }
  for (int i = 0; i < LIMITS; ++i)
    if (limit_count((LimitId)i))
      putf(out, "limits: '%s' was reached: %s (%" PRIu64 " times)\n", limits[i].name, limits[i].effect,
           limit_count((LimitId)i));
}

static void put_where(Json *j, const Decision *d) {
  json_key(j, "file"), json_text(j, d->file);
  json_key(j, "line"), json_number(j, d->line);
  json_key(j, "column"), json_number(j, d->column);
}

void decisions_json(Bytes *out) {
  Json j = {.out = out};
  json_open(&j, '{');
  json_key(&j, "version"), json_number(&j, 1);
  json_key(&j, "decisions"), json_open(&j, '[');
  for (size_t i = 0; i < decisions_count(); ++i) {
    Decision d = decision_at(i);
    j.lines = true;
    json_open(&j, '{');
    j.lines = false;
    json_key(&j, "stage"), json_text(&j, d.stage);
    put_where(&j, &d);
    json_key(&j, "what"), json_text(&j, d.what);
    json_key(&j, "why"), json_text(&j, d.why);
    json_key(&j, "times"), json_number(&j, d.times);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_key(&j, "limits"), json_open(&j, '[');
  for (int i = 0; i < LIMITS; ++i) {
    if (!limit_count((LimitId)i)) continue;
    json_open(&j, '{');
    json_key(&j, "name"), json_text(&j, limits[i].name);
    json_key(&j, "times"), json_number(&j, limit_count((LimitId)i));
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  put(out, "\n");
}
