// The rows are read once, when the first is asked for: words into records, names into a table.
#include "library.h"
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "libstdcxx.h"

static const struct {
  const char *words, *names;
} rows[] = {
#define ROW(words, names) {words, names},
#include "library.def"
};

// Namespaces std and __gnu_cxx as libstdc++ mangles them (libc++ says St3__1), operators new and delete, and
// the run-time of exceptions and casts.
static const char *const prefixes[] = {"_ZNSt",
                                       "_ZNKSt",
                                       "_ZNVSt",
                                       "_ZSt",
                                       "_ZNSa",
                                       "_ZNSs",
                                       "_ZNSi",
                                       "_ZNSo",
                                       "_ZNSd",
                                       "_ZNSb",
                                       "_ZNKSa",
                                       "_ZNKSs",
                                       "_ZNKSi",
                                       "_ZNKSo",
                                       "_ZNKSd",
                                       "_ZNKSb",
                                       "_ZN9__gnu_cxx",
                                       "_ZNK9__gnu_cxx",
                                       "_ZN10__cxxabiv1",
                                       "_ZN11__gnu_debug",
                                       "_Znw",
                                       "_Zna",
                                       "_Zdl",
                                       "_Zda",
                                       "__cxa_",
                                       "__gxx_personality_",
                                       "__dynamic_cast",
                                       "_Unwind_"};

static const char *const replaced[] = {
    "malloc",        "calloc",         "realloc", "free",    "memalign",
    "aligned_alloc", "posix_memalign", "valloc",  "pvalloc", "malloc_usable_size"};

typedef struct {
  Vec(Library) rows;
  Intern *names;           // those that end in * are prefixes
  Vec(uint32_t) row;       // by name
  Vec(uint32_t) prefixes;  // names
} Table;
static Table table;

// -- words

static const char *const whens[] = {"now",     "thread",       "at-exit",   "at-quick-exit", "at-thread-exit",
                                    "at-fork", "on-exception", "on-signal", "in-loop",       "later"};

static LibraryWhen when_of(const char *word) {
  for (unsigned i = 0; i < LIBRARY_OCCASIONS; ++i)
    if (!strcmp(word, whens[i])) return (LibraryWhen)i;
  assert(!"library.def names an occasion");
  return LIBRARY_LATER;
}

// n:signature:when
static LibraryCall call_of(char *word) {
  char *type = strchr(word, ':'), *when = strrchr(word, ':');
  assert(type && when > type);
  *when = 0;
  LibraryCall c = {.type = mem_copy(type + 1, strlen(type + 1) + 1), .when = when_of(when + 1)};
  c.arg = *word == '*' ? LIBRARY_MEMORY : (unsigned)strtoul(word, NULL, 10);
  return c;
}

static void read_input(const char *word, Library *out) {
  static const struct {
    const char *word;
    LibraryInput input;
  } classes[] = {{"opens-fd", LIBRARY_IN_OPENS_FD},
                 {"opens-stream", LIBRARY_IN_OPENS_STREAM},
                 {"fd", LIBRARY_IN_FD},
                 {"stream", LIBRARY_IN_STREAM},
                 {"stdin", LIBRARY_IN_STDIN},
                 {"file", LIBRARY_IN_FILE},
                 {"success", LIBRARY_IN_SUCCESS},
                 {"time", LIBRARY_IN_TIME},
                 {"random", LIBRARY_IN_RANDOM},
                 {"system", LIBRARY_IN_SYSTEM},
                 {"environ", LIBRARY_IN_ENVIRON},
                 {"other", LIBRARY_IN_OTHER}};
  size_t n = strcspn(word, "0123456789");
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (strlen(classes[i].word) == n && !strncmp(classes[i].word, word, n)) out->input = classes[i].input;
  assert(out->input != LIBRARY_IN_NOTHING);
  assert((out->input == LIBRARY_IN_FD || out->input == LIBRARY_IN_STREAM) == (word[n] != 0));
  out->number = (unsigned)strtoul(word + n, NULL, 10);
}

typedef struct {
  Library row;
  Vec(LibraryCall) calls;
  Bytes memory;
  bool unknown;  // what it does to memory
} Reading;

static void read_word(Reading *r, char *word) {
  if (!strncmp(word, "calls:", 6))
    vec_push(&r->calls, call_of(word + 6));
  else if (!strncmp(word, "runs:", 5))
    r->row.runs |= 1u << when_of(word + 5);
  else if (!strncmp(word, "in:", 3))
    read_input(word + 3, &r->row);
  else if (!strcmp(word, "in?"))
    r->row.input = LIBRARY_IN_UNKNOWN;
  else if (!strcmp(word, "calls?"))
    r->row.calls_known = false;
  else if (!strcmp(word, "mem?"))
    r->unknown = true;
  else if (!strcmp(word, "waits"))
    r->row.waits = true;
  else if (!strcmp(word, "ends"))
    r->row.ends = true;
  else if (!strcmp(word, "ends-thread"))
    r->row.ends_thread = true;
  else if (!strcmp(word, "forks"))
    r->row.forks = true;
  else {
    if (r->memory.len) bytes_text(&r->memory, " ");
    bytes_text(&r->memory, word);
  }
}

static Library read_row(const char *words) {
  Reading r = {.row = {.calls_known = true}};
  char *text = mem_string(words), *rest = NULL;
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) read_word(&r, word);
  vec_push(&r.memory, 0);
  assert(!r.unknown || r.memory.len == 1);
  if (r.unknown)
    vec_free(&r.memory);
  else
    r.row.memory = (const char *)r.memory.at;
  r.row.calls = r.calls.at, r.row.call_count = r.calls.len;
  mem_free(text);
  return r.row;
}

// -- names

static void add_names(const char *names, uint32_t row) {
  for (const char *at = names + strspn(names, " "); *at;) {
    size_t n = strcspn(at, " ");
    uint32_t id = intern_id(table.names, at, n);
    assert(id == table.row.len);  // a name has one row
    vec_push(&table.row, row);
    if (at[n - 1] == '*') vec_push(&table.prefixes, id);
    at += n + strspn(at + n, " ");
  }
}

static void read_table(void) {
  table.names = intern_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    vec_push(&table.rows, read_row(rows[i].words));
    add_names(rows[i].names, (uint32_t)i);
  }
}

static const Table *read(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_table);
  return &table;
}

static bool starts_with(const char *name, const char *prefix) {
  return !strncmp(name, prefix, strlen(prefix));
}

// Programs instantiate templates of its headers themselves, and those may do anything.
bool library_has(const char *name) {
  return !starts_with(name, "_Z") || libstdcxx_exports(name);
}

bool library_has_variable(const char *name) {
  return starts_with(name, "_Z") && libstdcxx_exports(name);
}

size_t library_matches(const char *pattern, const char *name) {
  size_t begin = strcspn(pattern, "*"), part = strlen(pattern) - begin;
  assert(part && pattern[begin + part - 1] == '*');
  if (strncmp(name, pattern, begin)) return 0;
  if (part <= 2) return begin;
  part -= 2;
  for (const char *at = name + begin; strlen(at) >= part; ++at)
    if (!strncmp(at, pattern + begin + 1, part)) return begin + part;
  return 0;
}

static const Library *find_prefix(const Table *t, const char *name) {
  const Library *found = NULL;
  size_t best = 0;
  if (!library_has(name)) return NULL;
  for (vec_each(i, &t->prefixes)) {
    size_t n = library_matches(intern_text(t->names, t->prefixes.at[i]), name);
    if (n <= best) continue;
    best = n, found = &t->rows.at[t->row.at[t->prefixes.at[i]]];
  }
  return found;
}

const Library *library_find(const char *name, bool prefix) {
  const Table *t = read();
  if (*name == 1) ++name;  // "as it stands": an asm label
  uint32_t id = intern_find(t->names, name, strlen(name));
  if (id != INTERN_NONE) return &t->rows.at[t->row.at[id]];
  return prefix ? find_prefix(t, name) : NULL;
}

const char *library_name(size_t i) {
  const Table *t = read();
  return i < t->row.len ? intern_text(t->names, (uint32_t)i) : NULL;
}

// -- questions

static bool of_libstdcxx(const char *name) {
  if (starts_with(name, "_ZNSt3__1") || starts_with(name, "_ZNKSt3__1")) return false;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (starts_with(name, prefixes[i])) return true;
  return false;
}

LibraryTrust library_trust(const char *name) {
  const Library *row = library_find(name, false);
  if (sync_find(name) || (row && row->calls_known) || starts_with(name, "llvm.")) return LIBRARY_TABLED;
  return of_libstdcxx(name) ? LIBRARY_LIBSTDCXX : LIBRARY_UNKNOWN;
}

size_t library_calls(const char *name, const LibraryCall **calls) {
  const Library *row = library_find(name, false);
  if (row) *calls = row->calls;
  return row ? row->call_count : 0;
}

bool library_runs(const char *name, LibraryWhen when) {
  const Library *row = library_find(name, false);
  assert(when < LIBRARY_OCCASIONS);
  return row && row->runs >> when & 1;
}

bool library_waits(const char *name) {
  const Library *row = library_find(name, true);
  return row && row->waits;
}

bool library_forks(const char *name) {
  const Library *row = library_find(name, false);
  return row && row->forks;
}

bool library_replaced(const char *name) {
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; ++i)
    if (!strcmp(replaced[i], name)) return true;
  return starts_with(name, "_Znw") || starts_with(name, "_Zna") || starts_with(name, "_Zdl") ||
         starts_with(name, "_Zda");
}

// -- whole

static void check_call(const LibraryCall *c) {
  assert(c->when < LIBRARY_OCCASIONS && (c->arg == LIBRARY_MEMORY || c->arg < 64));
  assert(*c->type == '*' || (strchr(c->type, '(') && c->type[strlen(c->type) - 1] == ')'));
}

static void check_row(const Library *row) {
  bool numbered = row->input == LIBRARY_IN_FD || row->input == LIBRARY_IN_STREAM;
  assert(row->input <= LIBRARY_IN_OTHER && (numbered || !row->number));
  assert(row->calls_known || !row->call_count);
  assert(!(row->runs >> LIBRARY_OCCASIONS) && !(row->ends && row->ends_thread));
  for (size_t i = 0; i < row->call_count; ++i) check_call(&row->calls[i]);
}

static void check_table(const Table *t) {
  assert(t->row.len == intern_count(t->names));
  for (vec_each(i, &t->rows)) check_row(&t->rows.at[i]);
  for (vec_each(i, &t->row)) assert(t->row.at[i] < t->rows.len);
  for (vec_each(i, &t->prefixes)) {
    const char *p = intern_text(t->names, t->prefixes.at[i]);
    assert(p[strlen(p) - 1] == '*');
  }
}

void library_check(void) {
  check_table(read());
}
