#include "json.h"
#include "slice.h"

static void put_targets(const SliceReport *r, Json *j) {
  json_key(j, "targets"), json_open(j, '[');
  for (vec_each(i, &r->targets)) {
    const SliceTargetPlace *t = &r->targets.at[i];
    json_open(j, '{');
    json_key(j, "file"), json_text(j, t->file);
    json_key(j, "line"), json_number(j, t->line);
    json_key(j, "thread"), json_number(j, t->thread);
    json_key(j, "value"), json_text(j, t->value);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_line(const SliceLine *l, Json *j) {
  j->lines = true;
  json_open(j, '{');
  j->lines = false;
  json_key(j, "file"), json_text(j, l->file);
  json_key(j, "line"), json_number(j, l->line);
  json_key(j, "threads"), json_open(j, '[');
  for (size_t i = 0; i < l->thread_count; ++i) json_number(j, l->threads[i]);
  json_close(j, ']');
  json_key(j, "executed"), json_number(j, l->executed);
  json_key(j, "kept"), json_number(j, l->kept);
  json_key(j, "why");
  json_text(j, l->why & SLICE_WHY_DATA                         ? "data"
               : l->why & (SLICE_WHY_CONTROL | SLICE_WHY_PATH) ? "control"
                                                               : "sync");
  json_close(j, '}');
}

static void put_step(const SliceStep *s, size_t n, Json *j) {
  j->lines = true;
  json_open(j, '{');
  j->lines = false;
  json_key(j, "n"), json_number(j, n + 1);
  json_key(j, "kind"), json_text(j, slice_step_word(s->kind));
  json_key(j, "file"), json_text(j, s->file);
  json_key(j, "line"), json_number(j, s->line);
  json_key(j, "function"), json_text(j, s->function);
  json_key(j, "thread"), json_number(j, s->thread);
  json_key(j, "value"), json_text(j, s->value ? s->value : s->text);
  json_key(j, "because"), json_number(j, s->because);
  json_key(j, "round"), json_number(j, s->round);
  json_key(j, "rounds"), json_number(j, s->rounds);
  json_close(j, '}');
}

void slice_json(const SliceReport *r, Bytes *out, const SliceFormat *f) {
  (void)f;
  Json j = {.out = out};
  json_open(&j, '{');
  json_key(&j, "version"), json_number(&j, 1);
  put_targets(r, &j);
  json_key(&j, "level"), json_text(&j, r->level);
  json_key(&j, "basis"), json_text(&j, r->basis);
  json_key(&j, "executed"), json_number(&j, r->executed);
  json_key(&j, "kept"), json_number(&j, r->kept);
  json_key(&j, "lines"), json_open(&j, '[');
  for (vec_each(i, &r->lines))
    if (r->lines.at[i].kept) put_line(&r->lines.at[i], &j);
  json_close(&j, ']');
  json_key(&j, "steps"), json_open(&j, '[');
  for (vec_each(i, &r->steps)) put_step(&r->steps.at[i], i, &j);
  json_close(&j, ']');
  json_key(&j, "check"), json_open(&j, '{');
  json_key(&j, "same");
  if (r->checked)
    json_bool(&j, r->same);
  else
    json_text(&j, NULL);
  json_key(&j, "values"), json_number(&j, r->check_values);
  json_key(&j, "branches"), json_number(&j, r->check_branches);
  json_close(&j, '}');
  json_key(&j, "incomplete"), json_open(&j, '[');
  for (vec_each(i, &r->incomplete)) {
    const FindingGap *g = &r->incomplete.at[i];
    char *text = g->file ? mem_format("%s:%u: %s", g->file, (unsigned)g->line, g->text) : mem_string(g->text);
    json_text(&j, text);
    mem_free(text);
  }
  json_close(&j, ']');
  json_close(&j, '}');
  vec_push(out, '\n');
}
