// mutants SEED COUNT [FILE...]: writes COUNT files, each with our verdict in front, for `referee.py
// --stream`. They are from the simulator, or these files in turn; the first tenth as it is, of the others one
// line or so is damaged.
#include <stdio.h>
#include <stdlib.h>
#include "sim.h"

static Strings split(const Bytes *text) {
  Strings lines = {0};
  for (size_t from = 0; from < text->len;) {
    const unsigned char *end = memchr(text->at + from, '\n', text->len - from);
    size_t len = (size_t)(end - text->at) - from;
    char *line = mem_alloc(len + 1);
    memcpy(line, text->at + from, len);
    vec_push(&lines, line);
    from += len + 1;
  }
  return lines;
}

static void put_back(Strings *lines, Bytes *text) {
  text->len = 0;
  for (vec_each(i, lines)) {
    bytes_text(text, lines->at[i]);
    vec_push(text, '\n');
    mem_free(lines->at[i]);
  }
  vec_free(lines);
}

static void remove_line(Strings *l, size_t i) {
  memmove(l->at + i, l->at + i + 1, (l->len - i - 1) * sizeof *l->at);
  --l->len;
}

static void insert_line(Strings *l, size_t i, char *line) {
  vec_push(l, NULL);
  memmove(l->at + i + 1, l->at + i, (l->len - i - 1) * sizeof *l->at);
  l->at[i] = line;
}

// Another number in place of one of the line's.
static void change_number(uint64_t *seed, char **line) {
  size_t starts[16], n = 0;
  for (size_t i = 0; (*line)[i] && n < 16; ++i)
    if ((*line)[i] >= '0' && (*line)[i] <= '9' && (!i || (*line)[i - 1] < '0' || (*line)[i - 1] > '9'))
      starts[n++] = i;
  if (!n) return;
  size_t at = starts[sim_below(seed, (uint32_t)n)], len = strspn(*line + at, "0123456789");
  long value = atol(*line + at);
  long other = sim_below(seed, 2) ? (long)sim_below(seed, 5) : value + (sim_below(seed, 2) ? 1 : -1);
  char *changed = mem_format("%.*s%ld%s", (int)at, *line, other < 0 ? 0 : other, *line + at + len);
  mem_free(*line);
  *line = changed;
}

static void change_outcome(uint64_t *seed, char **line) {
  static const char *const outcomes[] = {"busy",      "timedout", "again", "ran",      "serial",
                                         "ownerdead", "deadlk",   "perm",  "spurious", "cancelled"};
  char *equals = strstr(*line, " = ");
  char *changed;
  if (equals && sim_below(seed, 2)) {
    *equals = 0;
    return;
  }
  const char *other = outcomes[sim_below(seed, sizeof outcomes / sizeof *outcomes)];
  changed = mem_format("%.*s = %s", equals ? (int)(equals - *line) : (int)strlen(*line), *line, other);
  mem_free(*line);
  *line = changed;
}

static void change_word(uint64_t *seed, char **line) {
  static const char *const pairs[][2] = {
      {" lock ", " unlock "},      {" unlock ", " lock "},      {" rdlock ", " lock "},
      {" signal ", " broadcast "}, {" broadcast ", " signal "}, {" acquire ", " post "},
      {" post ", " acquire "},     {" call ", " ret "},         {" ret ", " call "},
      {"-arrive", "-depart"},      {"-depart", "-arrive"},      {" join ", " detach "}};
  for (size_t i = 0, from = sim_below(seed, 12); i < 12; ++i) {
    const char *const *p = pairs[(i + from) % 12];
    char *there = strstr(*line, p[0]);
    if (!there) continue;
    char *changed = mem_format("%.*s%s%s", (int)(there - *line), *line, p[1], there + strlen(p[0]));
    mem_free(*line);
    *line = changed;
    return;
  }
}

// Returns what the number of events changes by.
static int damage(uint64_t *seed, Strings *l, size_t first) {
  size_t n = l->len - 1 - first, i = first + sim_below(seed, (uint32_t)n),
         k = first + sim_below(seed, (uint32_t)n);
  char *line = l->at[i];
  switch (sim_below(seed, 9)) {
    case 0:
      remove_line(l, i);
      mem_free(line);
      return -1;
    case 1:
      insert_line(l, i, mem_string(line));
      return 1;
    case 2:
      if (i + 2 >= l->len) return 0;
      l->at[i] = l->at[i + 1];
      l->at[i + 1] = line;
      return 0;
    case 3:
      remove_line(l, i);
      insert_line(l, k, line);
      return 0;
    case 4:
    case 5:
      change_number(seed, &l->at[i]);
      return 0;
    case 6:
      change_outcome(seed, &l->at[i]);
      return 0;
    case 7:
      change_word(seed, &l->at[i]);
      return 0;
    default:
      line = l->at[sim_below(seed, (uint32_t)l->len)];  // any line loses its end
      line[sim_below(seed, (uint32_t)strlen(line) + 1)] = 0;
      return 0;
  }
}

static void mutate(uint64_t *seed, Bytes *text) {
  Strings lines = split(text);
  size_t first = 0, events = 0;
  int change = 0;
  while (first < lines.len && strncmp(lines.at[first], "when ", 5)) ++first;
  if (++first + 2 < lines.len) change = damage(seed, &lines, first);
  char **end = &lines.at[lines.len - 1];
  if (change && sscanf(*end, "end %zu", &events) == 1 && sim_below(seed, 10)) {
    mem_free(*end);
    *end = mem_format("end %ld", (long)events + change);
  }
  put_back(&lines, text);
}

static void judge(const Bytes *text, uint64_t id) {
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text->at, text->len), "x.sigma", diags);
  bool ok = s && sigma_check(s, diags);
  printf("%%%%%% %llu %s %u %zu\n", id + 0ull,
         !s   ? "unread"
         : ok ? "ok"
              : "wrong",
         ok ? 0 : diags_at(diags, 0)->line, text->len);
  fwrite(text->at, 1, text->len, stdout);
  sigma_free(s);
  diags_free(diags);
}

static void original(uint64_t number, char **files, int count, Bytes *text) {
  const char *file = count ? files[number % (uint64_t)count] : NULL;
  if (file && file_read(file, text)) {
    fprintf(stderr, "mutants: cannot read %s\n", file);
    exit(2);
  } else if (!file) {
    Sigma *s = sim_sigma(sim_options(number));
    sigma_print(s, text);
    sigma_free(s);
  }
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
           count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  for (uint64_t i = 0; i < count; ++i) {
    Bytes text = {0};
    original(seed + i, argv + 3, argc > 3 ? argc - 3 : 0, &text);
    uint64_t random = seed ^ i << 20;
    if (i >= count / 10) mutate(&random, &text);
    judge(&text, i);
    vec_free(&text);
  }
  return 0;
}
