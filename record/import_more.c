// What a schedule says beside its events: objects, inputs and the constraint they give, the end of the run.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "importer.h"
#include "own_name.h"
#include "stored.h"

static SyncFamily family_of(RtKind kind) {
  static const SyncFamily families[RT_KINDS] = {
      [RT_MUTEX] = SYNC_MUTEX,         [RT_RWLOCK] = SYNC_RWLOCK,          [RT_SPIN] = SYNC_SPIN,
      [RT_COND] = SYNC_COND,           [RT_BARRIER] = SYNC_BARRIER_OBJECT, [RT_SEMAPHORE] = SYNC_SEMAPHORE,
      [RT_ONCE_FLAG] = SYNC_ONCE_FLAG, [RT_UNMODELLED] = SYNC_FUTEX,       [RT_ATOMIC_CELL] = SYNC_CELL};
  assert(kind < RT_KINDS && families[kind] != SYNC_THREAD);
  return families[kind];
}

static void name_object(Importer *k, SigmaObject *o, uint64_t address) {
  uint64_t offset;
  const char *symbol = symbols_name(k->symbols, address, &offset);
  if (!symbol) return;
  char *name = offset ? mem_format("%s+%lu", symbol, (unsigned long)offset) : mem_string(symbol);
  o->name = sigma_intern(k->s, name);
  mem_free(name);
}

uint32_t import_object(Importer *k, uint32_t recorded) {
  uint64_t known;
  if (map_get(k->object_of, recorded, &known)) return (uint32_t)known;
  uint32_t id = import_new_object(k, recorded);
  if (id != SIGMA_NONE) map_put(k->object_of, recorded, id);
  return id;
}

uint32_t import_new_object(Importer *k, uint32_t recorded) {
  RtObject what;
  if (!rt_merge_object(k->merge, recorded, &what) || what.kind <= RT_KIND_NONE || what.kind > RT_ATOMIC_CELL)
    return SIGMA_NONE;
  uint32_t id = schedule_add_object(k->c, family_of(what.kind));
  SigmaObject *o = &k->c->objects.at[id];
  if (what.kind == RT_MUTEX && what.value != RT_NO_VALUE) {
    o->recursive = (what.value & RT_TYPE_BITS) == PTHREAD_MUTEX_RECURSIVE;
    o->robust = what.value & RT_ROBUST;
  }
  o->shared = what.shared && what.kind != RT_ATOMIC_CELL;
  // Others cannot be, and Σ has no place for them: the recording is damaged.
  uint32_t least = what.kind == RT_BARRIER ? 1 : 0;
  if ((what.kind == RT_BARRIER || what.kind == RT_SEMAPHORE) && what.value >= least &&
      what.value <= INT32_MAX)
    o->counted = true, o->amount = what.value;
  name_object(k, o, what.address);
  return id;
}

static void add_frame(Importer *k, const char *function, Place w) {
  SigmaFrame f = {sigma_intern(k->s, function && *function ? function : "?"), SIGMA_NONE, 0, 0};
  if (w.file && *w.file) f.file = sigma_intern(k->s, w.file), f.line = w.line, f.column = w.column;
  vec_push(&k->c->frames, f);
}

static void frames_at(Importer *k, Lines *lines, uint64_t address) {
  size_t n = lines_at(lines, symbols_in_file(k->symbols, address));
  uint64_t offset;
  if (!n) add_frame(k, symbols_name(k->symbols, address, &offset), (Place){0});
  for (size_t i = 0; i < n; ++i) add_frame(k, lines_frame(lines, i).function, lines_frame(lines, i).place);
}

// The instruction that died, and calls: what is returned to lies behind them. Unwinding from the handler
// shows the handler first.
static void crash(Importer *k, const RtProcess *p) {
  Schedule *c = k->c;
  uint64_t thread = map_or(k->thread_of, p->thread, SIGMA_NONE);
  c->crash_thread = thread == SIGMA_NONE ? 0 : k->threads.at[thread].number;
  c->crash_address = p->code > 0 ? p->address : 0;  // else somebody sent the signal
  Lines *lines = lines_new(k->n->binary);
  uint32_t from = 0;
  for (uint32_t i = 0; i < p->frames; ++i)
    if (p->frame[i] == p->pc) from = i + 1;
  if (p->pc) frames_at(k, lines, p->pc);
  for (uint32_t i = from; i < p->frames; ++i) frames_at(k, lines, p->frame[i] - 1);
  lines_free(lines);
}

// That it stops where it was told to needs no word.
static void tell_why(Importer *k, const RtProcess *p) {
  static const struct {
    RtWhy why;
    const char *text;
  } all[] = {{RT_WHY_FULL, "the disk was full"},
             {RT_WHY_ERROR, "a recording file could not be created"},
             {RT_WHY_LATE, "a thread synchronized after its last destructor"},
             {RT_WHY_NESTED, "signal handlers interrupted each other too often"},
             {RT_WHY_OBJECTS, "there were too many objects"},
             {RT_WHY_NOTES, "arguments, environment or file names could not be recorded"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (p->why & (uint32_t)all[i].why)
      diag_warning(k->diags, "the recording is incomplete: %s%s%s", all[i].text, p->error ? ": " : "",
                   p->error ? strerror((int)p->error) : "");
}

void import_end(Importer *k) {
  const RtProcess *p = rt_recording_process(k->r);
  tell_why(k, p);
  Schedule *c = k->c;
  c->origin = SIGMA_RECORDED;
  if (k->o->status >= 0 && WIFSIGNALED(k->o->status))
    c->end = SIGMA_SIGNAL, c->end_number = (uint32_t)WTERMSIG(k->o->status);
  else if (k->o->status >= 0)
    c->end = SIGMA_EXIT, c->end_number = (uint32_t)WEXITSTATUS(k->o->status);
  else if (p->signal && p->signal < NSIG)
    c->end = SIGMA_SIGNAL, c->end_number = p->signal;
  else if (p->end == RT_END_EXIT)
    c->end = SIGMA_EXIT, c->end_number = (uint32_t)p->status & 0xff;
  if (p->signal && (p->frames || p->pc)) crash(k, p);
}

static Term equals(Importer *k, Term a, const char *text) {
  Term operands[] = {a, term_string(k->s->terms, text)};
  return term_apply(k->s->terms, TERM_EQ, operands, 2, NULL);
}

static Term env_term(Importer *k, SigmaEnv e) {
  Term variable = term_env(k->s->terms, sigma_text(k->s, e.name));
  if (e.value != SIGMA_NONE) return equals(k, variable, sigma_text(k->s, e.value));
  Term defined = term_apply(k->s->terms, TERM_DEFINED, &variable, 1, NULL);
  return term_apply(k->s->terms, TERM_NOT, &defined, 1, NULL);
}

// The arguments, and the environment that was read.
static void exact(Importer *k) {
  Terms *ts = k->s->terms;
  Vec(Term) all = {0};
  Term argc[] = {term_argc(ts), term_int(ts, (int64_t)k->c->argv.len)};
  vec_push(&all, term_apply(ts, TERM_EQ, argc, 2, NULL));
  // The name decides only where the program looks at it; a specialized program may have another.
  bool name = own_name_read(LLVMGetGlobalParent(callgraph_function(k->n->graph, 0)));
  for (uint32_t i = name ? 0 : 1; i < k->c->argv.len; ++i)
    vec_push(&all, equals(k, term_argv(ts, i), sigma_text(k->s, k->c->argv.at[i])));
  for (vec_each(i, &k->c->env)) vec_push(&all, env_term(k, k->c->env.at[i]));
  k->c->when = all.len == 1 ? all.at[0] : term_apply(ts, TERM_AND, all.at, all.len, NULL);
  assert(k->c->when != TERM_NONE);
  k->c->status = SIGMA_EXACT;
  vec_free(&all);
}

// As it was when it was opened, or not at all.
static Stored *file_stored(const char *path, const RtFile *was) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return NULL;
  bool same = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_dev == was->device && st.st_ino == was->inode &&
              (uint64_t)st.st_size == was->size &&
              (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec == was->modified;
  Stored *x = same ? stored_from(fd, 0) : NULL;
  close(fd);
  if (x && stored_size(x) == was->size) return x;
  stored_free(x);  // those of /proc have a size of their own
  return NULL;
}

static void file_note(Importer *k, const RtNoteText *n) {
  RtFile f;
  if (n->size <= sizeof f || !n->text[sizeof f]) return;
  memcpy(&f, n->text, sizeof f);
  char *path = mem_format("%.*s", (int)(n->size - sizeof f), (const char *)n->text + sizeof f);
  Stored *x = file_stored(path, &f);
  SigmaInput in = stored_input(x, k->s, path);
  vec_push(&k->c->inputs, in);
  stored_free(x);
  mem_free(path);
}

// By name; of a file that was opened several times, by different contents, nothing is known.
static void sort_inputs(Importer *k) {
  SigmaInput *at = k->c->inputs.at;
  size_t len = k->c->inputs.len, n = 0;
  for (size_t i = 1; i < len; ++i)
    for (size_t j = i; j && strcmp(sigma_text(k->s, at[j - 1].name), sigma_text(k->s, at[j].name)) > 0; --j) {
      SigmaInput x = at[j];
      at[j] = at[j - 1], at[j - 1] = x;
    }
  for (size_t i = 0; i < len; ++i) {
    if (n && at[n - 1].name == at[i].name) {
      at[n - 1].lost |= at[i].lost;
      vec_free(&at[i].copy);
    } else {
      at[n++] = at[i];
    }
  }
  k->c->inputs.len = n;
}

static void store_inputs(Importer *k) {
  sort_inputs(k);
  if (!k->reads_stdin) return;
  SigmaInput in = stored_input(k->o->in, k->s, "stdin");
  vec_push(&k->c->inputs, in);
  memmove(k->c->inputs.at + 1, k->c->inputs.at, (k->c->inputs.len - 1) * sizeof in);
  k->c->inputs.at[0] = in;
}

// What these libraries do for the program is known, and recorded where it is called; what they lock for
// themselves orders nothing of ours.
static bool is_runtime(const char *library) {
  static const char *const names[] = {"libc.so",   "libm.so",      "libpthread.so", "libdl.so",
                                      "librt.so",  "libstdc++.so", "libgcc_s.so",   "libatomic.so",
                                      "libc++.so", "libc++abi.so", "ld-linux"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strncmp(library, names[i], strlen(names[i]))) return true;
  return false;
}

static void outside_note(Importer *k, const RtNoteText *n) {
  const char *text = (const char *)n->text, *end = memchr(text, 0, n->size);
  if (!end) return;
  bool made = strstr(text, "_create") != NULL;
  char *library = mem_format("%.*s", (int)(text + n->size - end - 1), end + 1);
  SigmaOutside o = {.name = sigma_intern(k->s, *library ? library : "unknown")};
  for (vec_each(i, &k->c->outside))
    if (k->c->outside.at[i].name == o.name) o = k->c->outside.at[i];
  o.threads += made, o.places += !made;
  if (made || !is_runtime(library)) schedule_add_outside(k->c, o);
  mem_free(library);
}

static void read_notes(Importer *k, bool *cut) {
  RtNoteText n;
  for (size_t at = 0; rt_recording_note(k->r, &at, &n);) {
    if (n.kind == RT_NOTE_FILE) file_note(k, &n);
    if (n.kind == RT_NOTE_OUTSIDE) outside_note(k, &n);
    char *text = mem_format("%.*s", (int)n.size, (const char *)n.text);
    if (n.kind == RT_NOTE_ARG) vec_push(&k->c->argv, sigma_intern(k->s, text));
    if (n.kind == RT_NOTE_LIMIT) *cut = true;
    if (n.kind == RT_NOTE_ENV && *text && *text != '=') {  // getenv("") answers always the same
      char *value = strchr(text, '=');
      if (value) *value++ = 0;
      SigmaEnv e = {sigma_intern(k->s, text), value ? sigma_intern(k->s, value) : SIGMA_NONE};
      vec_push(&k->c->env, e);
    }
    mem_free(text);
  }
}

// What it read first, in words.
static char *reason(const Importer *k, bool other, bool cut) {
  static const char *const classes[RT_INPUTS] = {
      [RT_INPUT_STDIN] = "standard input",
      [RT_INPUT_FILE] = "files, or the state of the file system",
      [RT_INPUT_OTHER] = "a pipe, a socket, a device or another process",
      [RT_INPUT_TIME] = "the time",
      [RT_INPUT_RANDOM] = "random numbers",
      [RT_INPUT_SYSTEM] = "the system's settings",
      [RT_INPUT_ENVIRON] = "the whole environment",
      [RT_INPUT_MEMORY] = "that memory was short",
      [RT_INPUT_ADDRESS] = "addresses as numbers, which differ from run to run",
      [RT_INPUT_SHARED] = "what other processes do with an object that they share"};
  if (!other)
    return mem_string(cut ? "not all that it read could be kept"
                          : "the recording does not show all of the run");
  const char *what =
      k->input < RT_INPUTS && classes[k->input] ? classes[k->input] : "something that is not known";
  if (k->input_site >= sites_count(k->n->sites)) return mem_format("the run reads %s", what);
  LLVMValueRef call = sites_call(k->n->sites, k->input_site), f = call_function(call);
  Place w = where(call);
  const char *name = f ? LLVMGetValueName(f) : "a pointer";
  if (!w.file) return mem_format("the run reads %s (%s)", what, name);
  return mem_format("the run reads %s (%s at %s:%u)", what, name, w.file, w.line);
}

void import_inputs(Importer *k) {
  bool cut = false;
  read_notes(k, &cut);
  store_inputs(k);
  const RtProcess *p = rt_recording_process(k->r);
  bool other = k->first_input < k->c->events.len;
  cut |= !k->c->argv.len || p->why & RT_WHY_NOTES;
  if (!other && !cut && !k->c->incomplete) {
    exact(k);
    return;
  }
  char *why = reason(k, other, cut);
  k->c->because = sigma_intern(k->s, why);
  mem_free(why);
}
