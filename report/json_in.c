#include "json_in.h"
#include <assert.h>

void in_begin(JsonIn *in, Span text) {
  json_error_t e;
  in->root = in->value = json_loadb((const char *)text.at, text.len, JSON_REJECT_DUPLICATES, &e);
  if (in->root) return;
  in->wrong = true;
  Place at = {in->file, e.line > 0 ? (unsigned)e.line : 0, e.column > 0 ? (unsigned)e.column : 0};
  diag(in->diags, DIAG_ERROR, at, "not JSON: %s", e.text);
}

void in_free(JsonIn *in) {
  json_decref(in->root);
  vec_free(&in->levels);
}

// Where the walk is: the names and numbers that led there.
static char *path(const JsonIn *in) {
  Bytes out = {0};
  for (vec_each(i, &in->levels)) {
    const JsonLevel *l = &in->levels.at[i];
    if (json_is_array(l->at)) {
      char *n = mem_format("[%zu]", l->index ? l->index - 1 : 0);
      bytes_text(&out, n);
      mem_free(n);
    } else if (l->key) {
      if (out.len) bytes_text(&out, ".");
      bytes_text(&out, l->key);
    }
  }
  vec_push(&out, 0);
  char *text = mem_string((const char *)out.at);
  vec_free(&out);
  return text;
}

void in_wrong(JsonIn *in, const char *what) {
  if (!in->wrong) {
    char *where = path(in);
    diag(in->diags, DIAG_ERROR, (Place){in->file, 0, 0}, "%s%s%s", where, *where ? ": " : "", what);
    mem_free(where);
  }
  in->wrong = true;
  in->value = NULL;
  in->levels.len = 0;
}

// The value, if it is of this kind; else an error.
static json_t *take(JsonIn *in, bool right, const char *what) {
  json_t *v = in->value;
  if (in->wrong) return NULL;
  if (!v || !right) return in_wrong(in, what), NULL;
  in->value = NULL;
  return v;
}

static void enter(JsonIn *in, json_t *v) {
  if (!v) return;
  JsonLevel l = {.at = v, .next = json_is_object(v) ? json_object_iter(v) : NULL};
  vec_push(&in->levels, l);
}

void in_object(JsonIn *in) {
  enter(in, take(in, json_is_object(in->value), "expected an object"));
}

void in_array(JsonIn *in) {
  enter(in, take(in, json_is_array(in->value), "expected an array"));
}

const char *in_key(JsonIn *in) {
  if (in->wrong) return NULL;
  assert(in->levels.len && json_is_object(vec_last(&in->levels).at));
  JsonLevel *l = &vec_last(&in->levels);
  if (!l->next) return in->levels.len--, NULL;
  l->key = json_object_iter_key(l->next);
  in->value = json_object_iter_value(l->next);
  l->next = json_object_iter_next(l->at, l->next);
  return l->key;
}

bool in_item(JsonIn *in) {
  if (in->wrong) return false;
  assert(in->levels.len && json_is_array(vec_last(&in->levels).at));
  JsonLevel *l = &vec_last(&in->levels);
  if (l->index == json_array_size(l->at)) return in->levels.len--, false;
  in->value = json_array_get(l->at, l->index++);
  return true;
}

const char *in_text(JsonIn *in) {
  json_t *v = take(in, json_is_string(in->value) || json_is_null(in->value), "expected a text");
  return v ? json_string_value(v) : NULL;
}

uint64_t in_number(JsonIn *in, uint64_t most) {
  json_t *v = take(in, json_is_integer(in->value) && json_integer_value(in->value) >= 0,
                   "expected a whole number, 0 or more");
  uint64_t n = v ? (uint64_t)json_integer_value(v) : 0;
  if (n <= most) return n;
  in_wrong(in, "the number is too large");
  return 0;
}

double in_share(JsonIn *in) {
  double share = json_is_number(in->value) ? json_number_value(in->value) : -1;
  return take(in, share >= 0 && share <= 1, "expected a number from 0 to 1") ? share : 0;
}

bool in_bool(JsonIn *in) {
  const json_t *v = take(in, json_is_boolean(in->value), "expected true or false");
  return json_is_true(v);
}

bool in_null(JsonIn *in) {
  bool null = !in->wrong && json_is_null(in->value);
  if (null) in->value = NULL;
  return null;
}

void in_skip(JsonIn *in) {
  in->value = NULL;
}
