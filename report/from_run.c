#include "from_run.h"
#include <assert.h>
#include "words.h"

enum { SHOWN = 200 };  // bytes of standard input

static const char *interned(Report *r, Bytes *b) {
  vec_push(b, 0);
  const char *text = report_intern(r, (const char *)b->at);
  b->len = 0;
  return text;
}

void finding_input(Report *r, Finding *f, const Sigma *s, uint32_t schedule) {
  assert(schedule < s->schedules.len);
  const Schedule *c = s->schedules.at[schedule];
  Bytes b = {0};
  put_origin(s, c, &b);
  if (b.len) f->input = interned(r, &b);
  for (vec_each(i, &c->inputs)) {
    const SigmaInput *in = &c->inputs.at[i];
    if (strcmp(sigma_text(s, in->name), "stdin")) continue;
    const char *where = in->lost                 ? ", no longer known"
                        : in->hash == SIGMA_NONE ? ", kept in the schedule file"
                                                 : ", known by its hash";
    putf(&b, "%llu bytes%s", (unsigned long long)in->size, where);
    f->stdin_note = interned(r, &b);
  }
  vec_free(&b);
}

static void put_variable(Bytes *b, const char *name, const char *value) {
  if (!value) return;
  put_argument(b, name);
  put(b, "=");
  put_argument(b, value);
  put(b, " ");
}

static const char *recorded_value(const Sigma *s, uint32_t schedule, const char *name) {
  const Schedule *c = s->schedules.at[schedule];
  for (vec_each(i, &c->env))
    if (!strcmp(sigma_text(s, c->env.at[i].name), name)) return sigma_text(s, c->env.at[i].value);
  return NULL;
}

void finding_computed(Report *r, Finding *f, const Sigma *s, uint32_t schedule, const Sigma *with) {
  assert(schedule < s->schedules.len && with->schedules.len);
  const Schedule *c = with->schedules.at[0];
  Bytes b = {0};
  for (vec_each(i, &c->env)) {
    const char *name = sigma_text(with, c->env.at[i].name);
    put_variable(&b, name, recorded_value(s, schedule, name));
  }
  put_origin(s, s->schedules.at[schedule], &b);
  f->recorded = interned(r, &b);
  for (vec_each(i, &c->env))
    put_variable(&b, sigma_text(with, c->env.at[i].name), sigma_text(with, c->env.at[i].value));
  put_origin(with, c, &b);
  f->input = interned(r, &b);
  for (vec_each(i, &c->inputs)) {
    Bytes text = {0};
    vec_append(&text, c->inputs.at[i].copy.at, c->inputs.at[i].copy.len);
    vec_push(&text, 0);
    if (text.len > SHOWN)
      putf(&b, "%zu bytes, computed, kept in the witness", text.len - 1);
    else
      put(&b, "computed: "), put_argument(&b, (const char *)text.at);
    f->stdin_note = interned(r, &b);
    vec_free(&text);
  }
  vec_free(&b);
}

static FindingFrame place_of(Report *r, const Sigma *s, const Event *e) {
  FindingFrame f = {0};
  if (e->site == SIGMA_NONE) return f;
  const SigmaSite *site = &s->sites.at[e->site];
  f.file = report_intern(r, sigma_text(s, site->file));
  f.line = site->line, f.column = site->column;
  return f;
}

// Threads that wait stand at the end; of what was before, the last is kept.
static void steps_that_stand(Report *r, Finding *f, const Sigma *w) {
  const Schedule *c = w->schedules.at[0];
  size_t n = c->events.len, first = n > LIMIT_HTML_STEPS ? n - LIMIT_HTML_STEPS : 0;
  Bytes b = {0};
  for (size_t i = first; i < n + c->standing.len; ++i) {
    bool stands = i >= n;
    const Event *e = stands ? &c->standing.at[i - n] : &c->events.at[i];
    FindingStep step = {.thread = e->thread, .role = FINDING_EVENT, .at = place_of(r, w, e)};
    if (stands) step.role = i == n ? FINDING_A : FINDING_B;
    if (stands) put(&b, "waits: ");
    event_word_print(e, &b);
    put(&b, " ");
    put_operands(w, c, e, &b);
    step.text = interned(r, &b);
    vec_push(&f->steps, step);
  }
  vec_free(&b);
}

void finding_steps(Report *r, Finding *f, const Sigma *w) {
  assert(w->schedules.len == 1);
  const Schedule *c = w->schedules.at[0];
  if (schedule_stands(c)) {
    steps_that_stand(r, f, w);
    return;
  }
  assert(schedule_is_witness(c));
  Bytes b = {0};
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    bool access = i + 2 >= c->events.len, first = i + 2 == c->events.len;
    FindingStep step = {.thread = e->thread, .role = FINDING_EVENT};
    if (access) {
      const FindingAccess *a = first ? &f->a : &f->b;
      step.role = first ? FINDING_A : FINDING_B;
      step.text = report_print(r, "%s%s", a->atomic ? "atomic " : "", finding_kind_word(a->kind));
      step.at = a->at;
    } else {
      event_word_print(e, &b);
      put(&b, " ");
      put_operands(w, c, e, &b);
      step.text = interned(r, &b);
      step.at = place_of(r, w, e);
    }
    vec_push(&f->steps, step);
  }
  vec_free(&b);
}
