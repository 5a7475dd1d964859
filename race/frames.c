#include "frames.h"

const char *frames_file(Report *r, const OriginFrame *f) {
  if (!f->file) return NULL;
  char *path = f->directory && *f->directory ? file_join(f->directory, f->file) : mem_string(f->file);
  char *name = source_name(r, NULL, path);
  const char *file = report_intern(r, name);
  mem_free(path), mem_free(name);
  return file;
}

static FindingFrame frame_of(Report *r, const OriginFrame *f) {
  char *name = f->function ? where_short(f->function) : NULL;
  FindingFrame made = {report_intern(r, name), frames_file(r, f), f->line, f->column, NULL};
  mem_free(name);
  return made;
}

char *frames_name(const char *symbol) {
  char *whole = where_name(symbol), *name = where_short(whole);
  mem_free(whole);
  return name;
}

// Without debug information the function's name is what there is.
static void take_function(Report *r, LLVMValueRef inst, FindingFrames *out) {
  char *site = origin_of(inst), *ordinal = site ? strrchr(site, '%') : NULL;
  if (ordinal) *ordinal = 0;
  char *name = site ? frames_name(site) : NULL;
  if (name) vec_push(out, ((FindingFrame){.function = report_intern(r, name)}));
  mem_free(name), mem_free(site);
}

void frames_of(Report *r, LLVMValueRef inst, FindingFrames *out) {
  OriginFrames frames = {0};
  origin_stack(inst, &frames);
  for (vec_each(i, &frames)) vec_push(out, frame_of(r, &frames.at[i]));
  if (!frames.len) take_function(r, inst, out);
  vec_free(&frames);
}

const char *frames_routine(Report *r, const Sigma *s, const Order *o, uint32_t thread) {
  if (!thread || !order_count(o, thread)) return NULL;
  const Event *e = &order_schedule(o)->events.at[order_event(o, thread, 0)];
  if (e->kind != SYNC_ENTER) return NULL;
  char *name = frames_name(sigma_text(s, e->other));
  const char *routine = report_intern(r, name);
  mem_free(name);
  return routine;
}
