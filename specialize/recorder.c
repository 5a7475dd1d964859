#include "recorder.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cache.h"
#include "progress.h"
#include "run.h"
#include "sigma/sigma.h"

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

static bool emit_and_link(Loaded *copy, const char *app, const char *out, Diags *diags) {
  EmitOptions e = emit_options(&copy->app.recipe, diags);
  Bytes object = {0};
  Strings more = {0};
  char *dir = self_dir();
  vec_push(&more, mem_format("%s/" SPECIALIZE_RT_PATH, dir));
  keep_origin(&copy->app.recipe, app);
  LLVMTargetMachineRef tm = emit_machine(copy->module, &e, diags);
  bool ok = tm && emit_optimize(copy->module, tm, &e, diags) &&
            emit_object(copy->module, tm, &object, diags) &&
            link_again(&copy->app.recipe, span_of(object.at, object.len), &more, out, diags);
  if (tm) LLVMDisposeTargetMachine(tm);
  vec_free(&object);
  strings_free(&more);
  mem_free(dir);
  return ok;
}

bool recorder_build(const Loaded *l, const char *app, const char *out, const RecorderOptions *o,
                    Diags *diags) {
  // A copy: the caller's sites are those of the untouched module.
  Loaded copy = {0};
  if (!app_read(app, &copy.app, diags)) return false;
  copy.context = module_context(diags);
  copy.module = module_parse(copy.context, span_of(copy.app.module.at, copy.app.module.len), app, diags);
  InstrumentOptions how = {o->branches, o->directory, &l->targets};
  maysync_report(l->sync, o->verbose, diags);
  bool ok = copy.module && instrument_module(copy.module, l->hash, &how, diags) &&
            emit_and_link(&copy, app, out, diags);
  loaded_free(&copy);
  return ok;
}

// By module, runtime, this command, recipe and options; where the run path names $ORIGIN, by place too.
static char *variant_path(const Loaded *l, const char *app, const RecorderOptions *o) {
  Bytes all = {0}, files = {0};
  struct stat st = {0}, self = {0};
  char *dir = self_dir(), *rt = mem_format("%s/" SPECIALIZE_RT_PATH, dir), *real = realpath(app, NULL);
  recipe_write(&l->app.recipe, &all, &files);
  if (stat(rt, &st)) st.st_mtime = 0;
  if (stat("/proc/self/exe", &self)) self.st_mtime = 0;
  char *key = mem_format("%s %d %d %ld %ld %ld %ld %s", l->hash_text, o->branches, l->by_type,
                         (long)st.st_mtime, (long)st.st_size, (long)self.st_mtime, (long)self.st_size,
                         memmem(all.at, all.len, "$ORIGIN", 7) && real ? real : "");
  vec_append(&all, key, strlen(key));
  vec_append(&all, files.at, files.len);
  uint64_t h = 14695981039346656037u;
  for (vec_each(i, &all)) h = (h ^ all.at[i]) * 1099511628211u;
  char *name = mem_format("record-%.16s-%016lx", l->hash_text, (unsigned long)h), *path = cache_path(name);
  mem_free(name), mem_free(key), mem_free(rt), mem_free(dir);
  free(real);
  vec_free(&all), vec_free(&files);
  return path;
}

static bool build_cached(const Loaded *l, const char *app, const char *path, const RecorderOptions *o,
                         Diags *diags) {
  progress("building the variant of the program that records");
  bool ok = recorder_build(l, app, path, o, diags);
  progress(NULL);
  return ok;
}

char *recorder_cached(const Loaded *l, const char *app, const RecorderOptions *o, Diags *diags) {
  char *path = variant_path(l, app, o);
  if (access(path, X_OK) == 0) {
    if (o->verbose) maysync_report(l->sync, true, diags);
    return path;
  }
  if (!cache_make_directories(path))
    diag_error(diags, "%s: %s; set XDG_CACHE_HOME to a directory that can be written to", path,
               strerror(errno));
  else if (build_cached(l, app, path, o, diags))
    return path;
  mem_free(path);
  return NULL;
}
