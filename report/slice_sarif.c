// A result for each target, with a threadFlow for each thread of the chain.
#include "json.h"
#include "slice.h"

static void text_field(Json *j, const char *name, const char *text) {
  json_key(j, name), json_text(j, text);
}

static void put_message(Json *j, const char *text) {
  json_key(j, "message"), json_open(j, '{');
  text_field(j, "text", text);
  json_close(j, '}');
}

static void put_location(Json *j, const char *file, uint32_t line, const char *message) {
  json_key(j, "location"), json_open(j, '{');
  json_key(j, "physicalLocation"), json_open(j, '{');
  json_key(j, "artifactLocation"), json_open(j, '{');
  text_field(j, "uri", file ? file : "unknown");
  json_close(j, '}');
  json_key(j, "region"), json_open(j, '{');
  json_key(j, "startLine"), json_number(j, line ? line : 1);
  json_close(j, '}');
  json_close(j, '}');
  put_message(j, message);
  json_close(j, '}');
}

static bool is_essential(const SliceStep *s) {
  return s->kind <= SLICE_STEP_LATE;
}

static void put_step(Json *j, const SliceStep *s) {
  json_open(j, '{');
  put_location(j, s->file, s->line, s->text);
  json_key(j, "executionOrder"), json_number(j, s->place + 1);
  text_field(j, "importance", is_essential(s) ? "essential" : "important");
  if (s->value) {
    json_key(j, "state"), json_open(j, '{');
    json_key(j, "value"), json_open(j, '{');
    text_field(j, "text", s->value);
    json_close(j, '}');
    json_close(j, '}');
  }
  json_close(j, '}');
}

static void put_flow(const SliceReport *r, Json *j, uint32_t thread) {
  char *id = mem_format("T%u", (unsigned)thread);
  json_open(j, '{');
  text_field(j, "id", id);
  json_key(j, "locations"), json_open(j, '[');
  for (vec_each(i, &r->steps))
    if (r->steps.at[i].thread == thread) put_step(j, &r->steps.at[i]);
  json_close(j, ']');
  json_close(j, '}');
  mem_free(id);
}

static void put_flows(const SliceReport *r, Json *j) {
  Map *seen = map_new();
  json_key(j, "codeFlows"), json_open(j, '[');
  json_open(j, '{');
  json_key(j, "threadFlows"), json_open(j, '[');
  for (vec_each(i, &r->steps)) {
    uint32_t thread = r->steps.at[i].thread;
    if (map_or(seen, thread, 0)) continue;
    map_put(seen, thread, 1);
    put_flow(r, j, thread);
  }
  json_close(j, ']');
  json_close(j, '}');
  json_close(j, ']');
  map_free(seen);
}

static void put_result(const SliceReport *r, const SliceTargetPlace *t, Json *j) {
  const char *headline = r->headline ? r->headline : "The target of the slice";
  json_open(j, '{');
  text_field(j, "ruleId", "slice");
  text_field(j, "level", "note");
  put_message(j, headline);
  json_key(j, "locations"), json_open(j, '[');
  json_open(j, '{');
  json_key(j, "physicalLocation"), json_open(j, '{');
  json_key(j, "artifactLocation"), json_open(j, '{');
  text_field(j, "uri", t->file ? t->file : "unknown");
  json_close(j, '}');
  json_key(j, "region"), json_open(j, '{');
  json_key(j, "startLine"), json_number(j, t->line ? t->line : 1);
  json_close(j, '}');
  json_close(j, '}');
  json_close(j, '}');
  json_close(j, ']');
  if (r->steps.len) put_flows(r, j);
  json_close(j, '}');
}

static void put_tool(Json *j) {
  json_key(j, "tool"), json_open(j, '{');
  json_key(j, "driver"), json_open(j, '{');
  text_field(j, "name", "specialize");
  text_field(j, "semanticVersion", SPECIALIZE_VERSION);
  json_key(j, "rules"), json_open(j, '[');
  json_open(j, '{');
  text_field(j, "id", "slice");
  json_key(j, "shortDescription"), json_open(j, '{');
  text_field(j, "text", "How the target came about: what it depends on by data, control and order.");
  json_close(j, '}');
  json_close(j, '}');
  json_close(j, ']');
  json_close(j, '}');
  json_close(j, '}');
}

static void put_invocation(const SliceReport *r, Json *j) {
  json_key(j, "invocations"), json_open(j, '[');
  json_open(j, '{');
  json_key(j, "executionSuccessful"), json_bool(j, true);
  json_key(j, "toolExecutionNotifications"), json_open(j, '[');
  for (vec_each(i, &r->incomplete)) {
    json_open(j, '{');
    text_field(j, "level", "warning");
    put_message(j, r->incomplete.at[i].text);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
  json_close(j, ']');
}

void slice_sarif(const SliceReport *r, Bytes *out, const SliceFormat *f) {
  Json j = {.out = out};
  (void)f;
  json_open(&j, '{');
  text_field(&j, "$schema",
             "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
  text_field(&j, "version", "2.1.0");
  json_key(&j, "runs"), json_open(&j, '[');
  json_open(&j, '{');
  put_tool(&j);
  put_invocation(r, &j);
  json_key(&j, "results"), json_open(&j, '[');
  for (vec_each(i, &r->targets)) put_result(r, &r->targets.at[i], &j);
  json_close(&j, ']');
  json_close(&j, '}');
  json_close(&j, ']');
  json_close(&j, '}');
  vec_push(out, '\n');
}
