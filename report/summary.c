// The JSON of `specialize show`. docs/show.schema.json is its reference; other tools read these names.
#include "summary.h"

void put_schedule_fields(const Sigma *s, uint32_t id, Json *j) {
  const Schedule *c = s->schedules.at[id];
  Bytes term = {0};
  term_print(s->terms, c->when, &term);
  json_key(j, "id"), json_number(j, id);
  json_key(j, "origin"), json_text(j, sigma_origin_word(c->origin));
  json_key(j, "status"), json_text(j, sigma_status_word(c->status));
  json_key(j, "constraint"), json_bytes(j, &term);
  json_key(j, "order"), json_text(j, sigma_order_word(c->order));
  json_key(j, "threads"), json_number(j, c->threads);
  json_key(j, "events"), json_number(j, c->events.len);
  json_key(j, "scheduled_share"), json_share(j, schedule_share(c));
  json_key(j, "complete"), json_bool(j, !c->incomplete);
  vec_free(&term);
}

void put_sigma_fields(const Sigma *s, Json *j) {
  json_key(j, "version"), json_number(j, 1);
  json_key(j, "program"), json_text(j, sigma_text(s, s->program));
  json_key(j, "module"), json_text(j, sigma_text(s, s->module));
}

void report_json(const Shown *s, Bytes *out) {
  Json j = {.out = out};
  json_open(&j, '{');
  put_sigma_fields(s->sigma, &j);
  json_key(&j, "schedules"), json_open(&j, '[');
  for (uint32_t i = 0; i < s->count; ++i) {
    j.lines = true;
    json_open(&j, '{');
    j.lines = false;
    put_schedule_fields(s->sigma, s->first + i, &j);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  vec_push(out, '\n');
}
