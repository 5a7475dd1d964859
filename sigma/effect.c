#include "effect.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {"read", "write", "update", "fence"};
static const char *const orders[] = {"relaxed", "acquire", "release", "acq-rel", "seq-cst"};

bool effect_acquires(MemoryOrder o) {
  return o == ORDER_ACQUIRE || o >= ORDER_ACQ_REL;
}
bool effect_releases(MemoryOrder o) {
  return o >= ORDER_RELEASE;
}

static bool fits(uint64_t value, unsigned bytes) {
  return bytes == 8 || value >> 8 * bytes == 0;
}

bool effect_is_whole(const AtomicEffect *e) {
  if (e->kind > EFFECT_FENCE || e->order > ORDER_SEQ_CST) return false;
  if (e->kind == EFFECT_FENCE) return !e->first && !e->bytes && !e->has_was && !e->has_now && e->order;
  unsigned b = e->bytes;
  if ((b != 1 && b != 2 && b != 4 && b != 8) || e->first % b || e->first + b > EFFECT_CELL) return false;
  if (e->kind == EFFECT_READ && (e->has_now || e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL))
    return false;
  if (e->kind == EFFECT_WRITE && (e->has_was || e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL))
    return false;
  return fits(e->has_was ? e->was : 0, b) && fits(e->has_now ? e->now : 0, b);
}

void effect_print(const AtomicEffect *e, char out[EFFECT_TEXT]) {
  assert(effect_is_whole(e));
  int n = snprintf(out, EFFECT_TEXT, "%s", e->kind == EFFECT_FENCE ? orders[e->order] : kinds[e->kind]);
  if (e->kind == EFFECT_FENCE) return;
  n += snprintf(out + n, EFFECT_TEXT - (size_t)n, " %s %u", orders[e->order], e->bytes);
  if (e->first) n += snprintf(out + n, EFFECT_TEXT - (size_t)n, " at %u", e->first);
  if (e->has_was) n += snprintf(out + n, EFFECT_TEXT - (size_t)n, " was %" PRIu64, e->was);
  if (e->has_now) n += snprintf(out + n, EFFECT_TEXT - (size_t)n, " now %" PRIu64, e->now);
  assert(n < EFFECT_TEXT);
}

// The next word, which is moved over; "" at the end, or if it is too long for any.
static const char *next_word(const char **at, char word[24]) {
  size_t len = strcspn(*at, " ");
  word[0] = 0;
  if (len >= 24) return word;
  memcpy(word, *at, len);
  word[len] = 0;
  *at += len + ((*at)[len] == ' ');
  return word;
}

static bool find(const char *word, const char *const *all, size_t n, uint8_t *out) {
  for (size_t i = 0; i < n; ++i)
    if (!strcmp(word, all[i])) return *out = (uint8_t)i, true;
  return false;
}

static bool number(const char *word, uint64_t *out) {
  *out = 0;
  if (!*word) return false;
  for (; *word; ++word) {
    unsigned digit = (unsigned)(*word - '0');
    if (digit > 9 || *out > (UINT64_MAX - digit) / 10) return false;
    *out = *out * 10 + digit;
  }
  return true;
}

static bool operand(const char **at, const char *name, bool *has, uint64_t *out) {
  size_t len = strlen(name);
  char word[24];
  if (strncmp(*at, name, len) || (*at)[len] != ' ') return true;
  *at += len + 1;
  return *has = number(next_word(at, word), out);
}

bool effect_parse(const char *text, AtomicEffect *e) {
  char word[24], again[EFFECT_TEXT];
  const char *at = text;
  uint64_t bytes = 0, first = 0;
  bool placed;
  *e = (AtomicEffect){0};
  next_word(&at, word);
  if (find(word, orders, 5, &e->order)) {
    e->kind = EFFECT_FENCE;
  } else {
    if (!find(word, kinds, EFFECT_FENCE, &e->kind)) return false;
    if (!find(next_word(&at, word), orders, 5, &e->order)) return false;
    if (!number(next_word(&at, word), &bytes) || bytes > EFFECT_CELL) return false;
    if (!operand(&at, "at", &placed, &first) || first > EFFECT_CELL) return false;
    if (!operand(&at, "was", &e->has_was, &e->was) || !operand(&at, "now", &e->has_now, &e->now))
      return false;
  }
  e->bytes = (uint8_t)bytes, e->first = (uint8_t)first;
  if (!effect_is_whole(e)) return false;
  effect_print(e, again);  // one text for one effect: texts are compared
  return !strcmp(text, again);
}
