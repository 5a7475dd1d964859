#include "recorder.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "capture/capture.h"
#include "rt/rt.h"
#include "variant.h"

// $ORIGIN in a run path means the program's own directory; the recording one lies elsewhere.
static void keep_origin(Recipe *r, const char *app) {
  char *real = realpath(app, NULL);
  for (vec_each(i, &r->args)) {
    LinkArg *a = &r->args.at[i];
    char *origin = a->kind == LINK_TEXT && real ? strstr(a->text, "$ORIGIN") : NULL;
    if (!origin) continue;
    char *with = mem_format("%.*s%.*s%s", (int)(origin - a->text), a->text, (int)(file_base(real) - 1 - real),
                            real, origin + 7);
    mem_free(a->text);
    a->text = with;
  }
  free(real);
}

static bool is_replaying(const RecorderOptions *o) {
  return o->access_count > 0 || o->replay || o->watch;
}

static char *runtime(const RecorderOptions *o) {
  char *dir = self_dir(), *path = NULL;
  if (is_replaying(o))
    path =
        mem_format("%s/" SPECIALIZE_ENFORCE_PATH "/libspecialize-%s.a", dir, o->watch ? "watch" : "replay");
  else
    path = mem_format("%s/" SPECIALIZE_RT_PATH, dir);
  mem_free(dir);
  return path;
}

static bool has_argument(const Recipe *r, const char *text) {
  for (vec_each(i, &r->args))
    if (r->args.at[i].kind == LINK_TEXT && strstr(r->args.at[i].text, text)) return true;
  return false;
}

static bool has_sanitizer(const Recipe *r) {
  for (vec_each(i, &r->parts))
    if (r->parts.at[i].flags && strstr(r->parts.at[i].flags, "-fsanitize=")) return true;
  return false;
}

// Where libraries can be loaded, their calls are watched. Sanitizers have functions of these names
// themselves.
static void watch_libraries(const Recipe *r, Strings *more) {
  if (!has_argument(r, "-dynamic-linker") || has_sanitizer(r)) return;
  char *dir = self_dir();
  vec_push(more, mem_string("--undefined=rt_outside"));
  for (const char *const *name = rt_watched; *name; ++name)
    vec_push(more, mem_format("--export-dynamic-symbol=%s", *name));
  vec_push(more, mem_format("%s/" SPECIALIZE_ENFORCE_PATH "/libspecialize-outside.a", dir));
  mem_free(dir);
}

static bool emit_and_link(Program *copy, const char *app, const char *out, const RecorderOptions *o,
                          Diags *diags) {
  EmitOptions e = emit_options(&copy->app.recipe, diags);
  Bytes object = {0};
  Strings more = {0};
  if (!is_replaying(o)) watch_libraries(&copy->app.recipe, &more);
  vec_push(&more, runtime(o));
  keep_origin(&copy->app.recipe, app);
  if (o->watch && e.level > 1) e.level = 1;  // it runs once, and a hook at each access leaves little to gain
  LLVMTargetMachineRef tm = emit_machine(copy->module, &e, diags);
  bool ok = tm && emit_optimize(copy->module, tm, &e, diags) &&
            emit_object(copy->module, tm, &object, diags) &&
            link_again(&copy->app.recipe, span_of(object.at, object.len), &more, out, diags);
  if (tm) LLVMDisposeTargetMachine(tm);
  vec_free(&object);
  strings_free(&more);
  return ok;
}

bool recorder_build(const Program *l, const char *app, const char *out, const RecorderOptions *o,
                    Diags *diags) {
  assert(l->sites && (!o->access_count || o->accesses));
  // A copy: the caller's sites are those of the untouched module.
  Program copy = {0};
  const char *const *taken = (const char *const *)l->atomics.at;
  bool ok = program_again(app, &copy, diags) && atomics_lower(copy.module, taken, l->atomics.len, diags);
  InstrumentOptions how = {o->branches,     o->directory, &l->targets, o->accesses,
                           o->access_count, o->watch,     false,       NULL};
  if (!is_replaying(o)) maysync_report(l->sync, o->verbose, diags);
  ok = ok && instrument_module(copy.module, l->hash, &how, diags) && emit_and_link(&copy, app, out, o, diags);
  program_free(&copy);
  return ok;
}

// By module, runtime, this command, recipe and options; where the run path names $ORIGIN, by place too.
static char *variant_path(const Program *l, const char *app, const RecorderOptions *o) {
  Bytes all = {0}, files = {0};
  struct stat st = {0}, self = {0};
  char *rt = runtime(o), *real = realpath(app, NULL);
  recipe_write(&l->app.recipe, &all, &files);
  if (stat(rt, &st)) st.st_mtime = 0;
  char *own = self_path();
  if (stat(own, &self)) self.st_mtime = 0;
  mem_free(own);
  char *key = mem_format("%s %d %d %ld %ld %ld %ld %s", l->hash_text, o->branches, l->by_type,
                         (long)st.st_mtime, (long)st.st_size, (long)self.st_mtime, (long)self.st_size,
                         memmem(all.at, all.len, "$ORIGIN", 7) && real ? real : "");
  vec_append(&all, key, strlen(key));
  vec_append(&all, files.at, files.len);
  for (vec_each(i, &l->atomics)) bytes_text(&all, " a"), bytes_text(&all, l->atomics.at[i]);
  for (size_t i = 0; i < o->access_count; ++i) {
    bytes_text(&all, o->accesses[i].writes ? " w" : " r");
    bytes_text(&all, o->accesses[i].name);
  }
  uint8_t hash[HASH_BYTES];
  hash_bytes(&(Span){all.at, all.len}, 1, hash);
  char *text = hash_text(hash);
  const char *kind = o->watch ? "watch" : is_replaying(o) ? "replay" : "record";
  char *name = mem_format("%s-%.16s-%s", kind, l->hash_text, text);
  char *path = cache_path(name);
  mem_free(name), mem_free(key), mem_free(rt), mem_free(text);
  free(real);
  vec_free(&all), vec_free(&files);
  return path;
}

// A variant for replay serves few witnesses: so many are kept, those that were used last.
typedef struct {
  char *path;
  time_t used;
} Kept;
static int last_used_first(const void *a, const void *b) {
  const Kept *x = a, *y = b;
  return x->used != y->used ? (x->used < y->used) - (x->used > y->used) : strcmp(x->path, y->path);
}

static void forget_replays(const char *newest) {
  char *dir = mem_format("%.*s", (int)(file_base(newest) - 1 - newest), newest);
  Vec(Kept) all = {0};
  struct stat st;
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (strncmp(e->d_name, "replay-", 7)) continue;
    char *path = file_join(dir, e->d_name);
    vec_push(&all, ((Kept){path, stat(path, &st) ? 0 : st.st_mtime}));
  }
  if (d) closedir(d);
  if (all.len > 1) qsort(all.at, all.len, sizeof *all.at, last_used_first);
  for (vec_each(i, &all)) {
    if (i >= LIMIT_CACHE_VARIANTS && strcmp(all.at[i].path, newest)) unlink(all.at[i].path);
    mem_free(all.at[i].path);
  }
  vec_free(&all);
  mem_free(dir);
}

// Made elsewhere, and put there whole.
static int place_variant(const char *made, const char *path) {
  Bytes b = {0};
  int err = file_read(made, &b);
  if (!err) {
    variant_seal(&b, file_base(path));
    err = cache_make_directories((char *)path) ? file_write(path, b.at, b.len, 0700) : errno;
  }
  vec_free(&b);
  return err;
}

static bool build_cached(const Program *l, const char *app, const char *path, const RecorderOptions *o,
                         Diags *diags) {
  char *scratch = file_temp_dir();
  if (!scratch) return diag_error(diags, "no temporary directory: %s", strerror(errno)), false;
  char *made = file_join(scratch, "variant");
  progress(is_replaying(o) ? "building the replaying variant of the program"
                           : "building the recording variant of the program");
  bool ok = recorder_build(l, app, made, o, diags);
  int err = ok ? place_variant(made, path) : 0;
  if (err) diag_error(diags, "%s: %s; set XDG_CACHE_HOME to a writable directory", path, strerror(err));
  progress(NULL);
  file_remove_tree(scratch);
  mem_free(scratch), mem_free(made);
  if (ok && !err && is_replaying(o) && !o->watch) forget_replays(path);
  return ok && !err;
}

static bool has_cache(Diags *diags) {
  char *folder = NULL;
  bool private = cache_is_private(&folder);
  if (!private && !folder)
    diag_error(diags, "no home folder to keep the program's variants in; set HOME or XDG_CACHE_HOME");
  else if (!private)
    diag_error(diags, "%s: %s; set XDG_CACHE_HOME to a folder of yours", folder,
               errno == EPERM ? "belongs to another user" : strerror(errno));
  mem_free(folder);
  return private;
}

char *recorder_cached(const Program *l, const char *app, const RecorderOptions *o, Diags *diags) {
  if (!has_cache(diags)) return NULL;
  char *path = variant_path(l, app, o);
  if (variant_is_whole(path, file_base(path))) {
    if (o->verbose) maysync_report(l->sync, true, diags);
    if (is_replaying(o) && !o->watch) utimensat(AT_FDCWD, path, NULL, 0);
    return path;
  }
  if (build_cached(l, app, path, o, diags)) return path;
  mem_free(path);
  return NULL;
}
