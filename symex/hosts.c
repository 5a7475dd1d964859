// What the interpreter does for the models of the C library: files, memory, the beginning and end of threads.
// Functions on plain values (libm) are the host's own.
#include "host.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "machine.h"
#include "natural.h"
#include "number.h"

typedef bool HostFunction(Machine *m, Thread *t, const uint64_t *a, uint64_t *result);

static const char *text_at(Machine *m, Thread *t, uint64_t at) {
  const char *text;
  size_t len;
  if (memory_text(&m->memory, at, &text, &len)) return machine_reads(m, at, len + 1), text;
  machine_fault(m, t, at, "read a text from");
  return NULL;
}

static bool file_result(Machine *m, Thread *t, int64_t n, uint64_t *result) {
  if (n == FILES_WAIT) return machine_yield(m), m->yields = true, false;
  if (n == FILES_UNKNOWN) return machine_stop(m, t, RUN_REFUSED, "the run reads %s", m->files.why), false;
  if (n < 0) machine_set_errno(m, t, (int)-n);
  *result = n < 0 ? UINT64_MAX : (uint64_t)n;
  return true;
}

static bool host_write(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  if (!memory_readable(&m->memory, a[1], a[2])) return machine_fault(m, t, a[1], "write from"), false;
  machine_reads(m, a[1], a[2]);
  const unsigned char *from = a[2] ? memory_bytes(&m->memory, a[1]) : NULL;
  return file_result(m, t, files_write(&m->files, (int)a[0], (int64_t)a[3], from, a[2]), result);
}
static bool host_read(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  uint64_t size = a[2];
  if (size && !memory_writable(&m->memory, a[1], 1)) return machine_fault(m, t, a[1], "read into"), false;
  if (size && !memory_writable(&m->memory, a[1], size)) return machine_fault(m, t, a[1], "read into"), false;
  int64_t n =
      files_read(&m->files, (int)a[0], (int64_t)a[3], size ? memory_bytes(&m->memory, a[1]) : NULL, size);
  if (n > 0)
    memory_flag(&m->memory, a[1], (uint64_t)n, MEMORY_EXISTS | MEMORY_WRITTEN),
        machine_writes(m, a[1], (uint64_t)n);
  return file_result(m, t, n, result);
}
static bool host_seek(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  return file_result(m, t, files_seek(&m->files, (int)a[0], (int64_t)a[1], (int)a[2]), result);
}
static bool host_open(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *path = text_at(m, t, a[0]);
  return path && file_result(m, t, files_open(&m->files, path, (int)a[1]), result);
}
static bool host_anonymous(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)a;
  return file_result(m, t, files_anonymous(&m->files), result);
}
static bool host_pipe(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  int fds[2];
  int64_t n = files_pipe(&m->files, fds);
  return machine_store(m, t, a[0], fds, sizeof fds) && file_result(m, t, n, result);
}
static bool host_close(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  return file_result(m, t, files_close(&m->files, (int)a[0]), result);
}
static bool host_dup(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  return file_result(m, t, files_dup(&m->files, (int)a[0], (int)a[1]), result);
}
static bool host_truncate(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  return file_result(m, t, files_truncate(&m->files, (int)a[0], a[1]), result);
}
// Size and kind into two words.
static bool host_stat(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *path = a[0] ? text_at(m, t, a[0]) : NULL;
  if (a[0] && !path) return false;
  int kind = 0;
  uint64_t words[2] = {0};
  int64_t n = files_stat(&m->files, path, (int)a[1], &words[0], &kind);
  words[1] = (uint64_t)kind;
  return (n || machine_store(m, t, a[2], words, sizeof words)) && file_result(m, t, n, result);
}
static bool host_remove(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *path = text_at(m, t, a[0]);
  return path && file_result(m, t, files_remove(&m->files, path), result);
}
static bool host_rename(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *from = text_at(m, t, a[0]), *to = from ? text_at(m, t, a[1]) : NULL;
  return to && file_result(m, t, files_rename(&m->files, from, to), result);
}

static bool host_allocate(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  uint64_t align = a[1] && !(a[1] & (a[1] - 1)) ? a[1] : 16;
  uint64_t made = frame_of(t)->call;
  uint64_t most = UINT64_C(1000000) * LIMIT_INTERPRET_MEMORY;
  bool none = a[0] > UINT64_C(1) << 46;  // that much the system has for nobody
  if (!none && (a[0] > most || m->allocated > most - a[0]))
    return machine_stop(m, t, RUN_LIMIT, "it needs more than %d MB of memory", LIMIT_INTERPRET_MEMORY), false;
  *result = none ? 0 : memory_add(&m->memory, MEMORY_HEAP, a[0], align, made);
  m->allocated += *result ? a[0] : 0;
  if (!*result) machine_set_errno(m, t, ENOMEM);
  return true;
}
static MemoryObject *heap_object(Machine *m, Thread *t, uint64_t at) {
  MemoryObject *o = memory_at(&m->memory, at);
  if (o && o->kind == MEMORY_HEAP && !o->freed) return o;
  if (!m->over) m->result->fault = at;
  machine_die(m, t, 6, "free of what was not allocated, or is free already");
  return NULL;
}
static bool host_free(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  MemoryObject *o = a[0] ? heap_object(m, t, a[0]) : NULL;
  if (o) machine_writes(m, o->at, o->size);
  if (o && memory_drop(&m->memory, o)) m->allocated -= o->size;
  return !m->over;
}
static bool host_size(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const MemoryObject *o = heap_object(m, t, a[0]);
  if (o) *result = o->size;
  return o;
}

static uint64_t place_text(Machine *m, const char *text) {
  uint64_t size = strlen(text) + 1, at = memory_add(&m->memory, MEMORY_INPUT, size, 1, UINT64_MAX);
  if (!at) return 0;
  memcpy(memory_bytes(&m->memory, at), text, size);
  memory_flag(&m->memory, at, size, MEMORY_EXISTS | MEMORY_WRITTEN);
  return at;
}
// The value of a variable as the run read it; -1: the recording says nothing of it.
static bool host_environment(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *name = text_at(m, t, a[0]);
  if (!name) return false;
  *result = UINT64_MAX;
  bool known = !m->natural;
  for (vec_each(i, &m->schedule->env))
    known |= !strcmp(sigma_text(m->sigma, m->schedule->env.at[i].name), name);
  if (!known) natural_environment(m, name);
  for (vec_each(i, &m->schedule->env)) {
    const SigmaEnv *e = &m->schedule->env.at[i];
    if (strcmp(sigma_text(m->sigma, e->name), name) != 0) continue;
    *result = e->value == SIGMA_NONE ? 0 : place_text(m, sigma_text(m->sigma, e->value));
  }
  return true;
}
static bool host_argument(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)t;
  *result =
      a[0] < m->schedule->argv.len ? place_text(m, sigma_text(m->sigma, m->schedule->argv.at[a[0]])) : 0;
  return true;
}

typedef struct {
  uint64_t priority, function;
} Constructor;
static int by_priority(const void *a, const void *b) {
  const Constructor *x = a, *y = b;
  return x->priority != y->priority ? (x->priority < y->priority ? -1 : 1) : 0;
}
// Of the program: its functions to call before main (a[1] 0) or behind it (1), by priority.
static bool host_constructor(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)t;
  LLVMValueRef g = LLVMGetNamedGlobal(m->code->modules[0], a[1] ? "llvm.global_dtors" : "llvm.global_ctors");
  LLVMValueRef list = g ? LLVMGetInitializer(g) : NULL;
  *result = 0;
  if (!list || LLVMIsNull(list)) return true;
  uint64_t n = LLVMGetArrayLength2(LLVMTypeOf(list));
  Constructor *all = mem_array(n + 1, sizeof *all);
  const char *why;
  for (uint64_t i = 0; i < n; ++i) {
    LLVMValueRef one = LLVMGetAggregateElement(list, (unsigned)i);
    all[i].priority = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(one, 0));
    constant_words(m->code, LLVMGetAggregateElement(one, 1), &all[i].function, &why);
  }
  // Few, and those of one priority stay in their order.
  for (uint64_t i = 1; i < n; ++i)
    for (uint64_t k = i; k && by_priority(&all[k - 1], &all[k]) > 0; --k) {
      Constructor x = all[k];
      all[k] = all[k - 1], all[k - 1] = x;
    }
  if (a[0] < n) *result = all[a[1] ? n - 1 - a[0] : a[0]].function;
  mem_free(all);
  return true;
}

static bool host_begin(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)t, (void)a, (void)result;
  m->began = true;
  return true;
}
// The call of exit that the program made: the event comes when all that is registered has run.
static bool host_exiting(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)a, (void)result;
  if (t->exit_site == SITE_NONE) t->exit_site = machine_site(m, t);
  return true;
}
static bool host_exit(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  bool past = !m->natural && t->position == t->events.len && m->next == m->schedule->events.len;
  if (!past && !follow_exit(m, t)) return false;
  m->over = true;
  m->result->end = RUN_EXITED;
  m->result->status = (int)(a[0] & 0xff);
  return false;
}
static bool host_die(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  machine_die(m, t, (int)a[0], "the program sends it to itself");
  return false;
}
static bool host_thread_leaves(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)m, (void)result;
  t->result = a[0];
  return true;
}
// Whether it was the last, which ends the process.
static bool host_thread_end(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  size_t others = 0;
  for (uint32_t i = 0; i < m->schedule->threads; ++i)
    others += m->threads[i] && m->threads[i] != t && m->threads[i]->state != THREAD_ENDED;
  if (!follow_exit(m, t)) return false;
  t->result = a[0];
  *result = 1;
  if (!others) return true;
  t->state = THREAD_ENDED;
  return false;
}
static bool host_self(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)m, (void)a;
  *result = t->id;
  return true;
}
static bool host_yield(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)t, (void)a, (void)result;
  machine_yield(m), m->yields = true;
  return true;
}
// A clock that goes on with the instructions.
static bool host_nanoseconds(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)t, (void)a;
  *result = m->executed + (uint64_t)(m->granted - m->fuel);
  return true;
}

static bool put_text(Machine *m, Thread *t, uint64_t to, uint64_t room, const char *text, int n,
                     uint64_t *result) {
  *result = (uint64_t)n;
  return n >= 0 && (uint64_t)n < room ? machine_store(m, t, to, text, (uint64_t)n + 1) : true;
}
// One conversion of printf: to, room, flags, width, precision (-1: none), letter, the value.
static bool format_real(Machine *m, Thread *t, const uint64_t *a, const long double *l, uint64_t *result) {
  enum { LONGEST = 20000 };
  char spec[32], flags[8] = {0};
  static const char all[] = "-+ #0";
  unsigned n = 0;
  for (unsigned i = 0; i < 5; ++i)
    if (a[2] >> i & 1) flags[n++] = all[i];
  int width = (int)a[3], precision = (int)a[4];
  char letter = (char)a[5];
  double d;
  memcpy(&d, &a[6], sizeof d);
  if (!strchr("eEfFgGaA", letter) || width > LONGEST / 2 || precision > LONGEST / 4)
    letter = 'g', width = precision = 0;
  snprintf(spec, sizeof spec, l ? "%%%s*.*L%c" : "%%%s*.*%c", flags, letter);
  char *text = mem_alloc(LONGEST);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int written = l ? snprintf(text, LONGEST, spec, width, precision, *l)
                  : snprintf(text, LONGEST, spec, width, precision, d);
#pragma GCC diagnostic pop
  bool ok = put_text(m, t, a[0], a[1], text, written, result);
  mem_free(text);
  return ok;
}
static bool host_format_real(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  return format_real(m, t, a, NULL, result);
}
static bool host_format_long(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  long double l = number_read(NUMBER_LONG_DOUBLE, a + 6);
  return format_real(m, t, a, &l, result);
}
// A number at a text; how many bytes it takes.
static bool host_parse_real(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *text = text_at(m, t, a[0]);
  char *end;
  if (!text) return false;
  double d = strtod(text, &end);
  *result = (uint64_t)(end - text);
  return machine_store(m, t, a[1], &d, sizeof d);
}
static bool host_parse_long(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  const char *text = text_at(m, t, a[0]);
  char *end;
  uint64_t words[2];
  if (!text) return false;
  number_write(NUMBER_LONG_DOUBLE, strtold(text, &end), words);
  *result = (uint64_t)(end - text);
  return machine_store(m, t, a[1], words, 10);
}

static bool host_refuse(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  const char *what = text_at(m, t, a[0]);
  if (what) machine_stop(m, t, RUN_REFUSED, "%s", what);
  return false;
}
static bool host_assume(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  const char *what = text_at(m, t, a[0]);
  if (!what) return false;
  for (vec_each(i, &m->result->assumed))
    if (!strcmp(m->result->assumed.at[i], what)) return true;
  vec_push(&m->result->assumed, mem_string(what));
  return true;
}
static bool host_throw(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  unwind_throw(m, t, a[0]);
  return false;
}
static bool host_unwind(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)a, (void)result;
  unwind_force(m, t);
  return false;
}
static bool host_longjmp(Machine *m, Thread *t, const uint64_t *a, uint64_t *result) {
  (void)result;
  jump_back(m, t, a[0], a[1]);
  return false;
}

static const struct {
  const char *name;
  HostFunction *function;
} hosts[] = {
#define HOST(name) {#name, name},
#include "host.def"
};
typedef struct {
  const char *name;
  uint8_t operands, kind;
  bool whole;
  union {
    float (*f1)(float);
    float (*f2)(float, float);
    double (*d1)(double);
    double (*d2)(double, double);
    long double (*l1)(long double);
    long double (*l2)(long double, long double);
    long long (*i)(double);
  } u;
} PlainFunction;
static long long whole_lrint(double x) {
  return lrint(x);
}
static long long whole_lround(double x) {
  return lround(x);
}
#define whole_llrint llrint
#define whole_llround llround
static const PlainFunction plain[] = {
#define REAL1(name)                                                                                     \
  {#name, 1, NUMBER_DOUBLE, false, {.d1 = name}}, {#name "f", 1, NUMBER_FLOAT, false, {.f1 = name##f}}, \
      {#name "l", 1, NUMBER_LONG_DOUBLE, false, {.l1 = name##l}},
#define REAL2(name)                                                                                     \
  {#name, 2, NUMBER_DOUBLE, false, {.d2 = name}}, {#name "f", 2, NUMBER_FLOAT, false, {.f2 = name##f}}, \
      {#name "l", 2, NUMBER_LONG_DOUBLE, false, {.l2 = name##l}},
#define WHOLE(name)                                     \
  {#name, 1, NUMBER_DOUBLE, true, {.i = whole_##name}}, \
      {#name "f", 1, NUMBER_FLOAT, true, {.i = whole_##name}},
#include "host.def"
};
enum { HOSTS = sizeof hosts / sizeof *hosts, PLAIN = sizeof plain / sizeof *plain };

uint32_t host_find(const char *name, bool model) {
  for (uint32_t i = 0; i < PLAIN; ++i)
    if (!strcmp(plain[i].name, name)) return HOSTS + i;
  for (uint32_t i = 0; i < HOSTS && model; ++i)
    if (!strcmp(hosts[i].name, name)) return i;
  return CODE_NONE;
}

static void call_plain(const PlainFunction *p, const uint64_t *a, uint64_t *to) {
  NumberKind kind = (NumberKind)p->kind;
  long double x = number_read(kind, a),
              y = p->operands > 1 ? number_read(kind, a + (kind == NUMBER_LONG_DOUBLE ? 2 : 1)) : 0;
  if (p->whole)
    *to = (uint64_t)p->u.i((double)x);
  else if (kind == NUMBER_FLOAT)
    number_write(kind, p->operands > 1 ? p->u.f2((float)x, (float)y) : p->u.f1((float)x), to);
  else if (kind == NUMBER_DOUBLE)
    number_write(kind, p->operands > 1 ? p->u.d2((double)x, (double)y) : p->u.d1((double)x), to);
  else
    number_write(kind, p->operands > 1 ? p->u.l2(x, y) : p->u.l1(x), to);
}

bool host_call(Machine *m, Thread *t, const Call *call, uint32_t host) {
  enum { WORDS = 16 };
  uint64_t a[WORDS] = {0}, result[2] = {0};
  const Pass *p = m->code->passes.at + call->args;
  unsigned n = 0;
  for (uint32_t i = 0; i < call->arg_count; ++i)
    for (uint32_t k = 0; k < p[i].count && n < WORDS; ++k) a[n++] = slots_of(t)[p[i].slot + k];
  uint64_t frame = frame_of(t)->id;
  if (host >= HOSTS)
    call_plain(&plain[host - HOSTS], a, result);
  else if (!hosts[host].function(m, t, a, result)) {
    // It went elsewhere, it waits, or the run is over.
    return !m->over && t->state == THREAD_RUNS && (m->yields || frame_of(t)->id != frame);
  }
  if (call->result_count == 2) slots_of(t)[call->result + 1] = result[1];
  call_done(m, t, call, result[0]);
  return true;
}
