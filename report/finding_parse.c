// Reads the JSON of findings. Names it does not know are skipped, so that older tools read newer reports.
#include "findings.h"
#include "json_in.h"

static const char *text(Report *r, JsonIn *in) {
  return report_intern(r, in_text(in));
}
static uint32_t number(JsonIn *in) {
  return (uint32_t)in_number(in, UINT32_MAX - 1);
}
static uint32_t thread(JsonIn *in) {
  return in_null(in) ? FINDING_NONE : number(in);
}

// Takes the value if the name is one of a frame.
static bool frame_field(Report *r, JsonIn *in, const char *key, FindingFrame *f) {
  if (!strcmp(key, "function"))
    f->function = text(r, in);
  else if (!strcmp(key, "file"))
    f->file = text(r, in);
  else if (!strcmp(key, "line"))
    f->line = number(in);
  else if (!strcmp(key, "column"))
    f->column = number(in);
  else if (!strcmp(key, "library"))
    f->library = text(r, in);
  else
    return false;
  return true;
}

static FindingFrame frame(Report *r, JsonIn *in) {
  FindingFrame f = {0};
  in_object(in);
  for (const char *key; (key = in_key(in));)
    if (!frame_field(r, in, key, &f)) in_skip(in);
  return f;
}

static void frames(Report *r, JsonIn *in, FindingFrames *out) {
  for (in_array(in); in_item(in);) vec_push(out, frame(r, in));
}

static FindingLock lock(Report *r, JsonIn *in) {
  FindingLock l = {0};
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "name"))
      l.name = text(r, in);
    else if (!strcmp(key, "shared"))
      l.shared = in_bool(in);
    else if (!strcmp(key, "created"))
      l.created = frame(r, in);
    else
      in_skip(in);
  }
  if (!l.name) in_wrong(in, "a lock has no name");
  return l;
}

static int word(JsonIn *in, const char *const *words, size_t n, const char *what) {
  int found = 0;
  const char *said = in_text(in);
  if (!said || !word_in(words, n, said, &found)) in_wrong(in, what);
  return found;
}

static void access_kind(JsonIn *in, FindingAccess *a) {
  static const char *const kinds[] = {"read", "write", "wait"};
  int kind = word(in, kinds, 3, "access must be read, write or wait");
  static const FindingKind all[] = {FINDING_READ, FINDING_WRITE, FINDING_WAIT};
  if (a->kind != FINDING_FREE) a->kind = all[kind];
}

static bool access_field(Report *r, JsonIn *in, const char *key, FindingAccess *a) {
  if (frame_field(r, in, key, &a->at)) return true;
  if (!strcmp(key, "thread"))
    a->thread = number(in);
  else if (!strcmp(key, "access"))
    access_kind(in, a);
  else if (!strcmp(key, "free"))
    a->kind = in_bool(in) ? FINDING_FREE : a->kind;
  else if (!strcmp(key, "atomic"))
    a->atomic = in_bool(in);
  else if (!strcmp(key, "bytes"))
    a->bytes = in_number(in, UINT64_MAX);
  else if (!strcmp(key, "site"))
    a->site = text(r, in);
  else if (!strcmp(key, "schedule"))
    a->schedule = number(in);
  else if (!strcmp(key, "routine"))
    a->routine = text(r, in);
  else if (!strcmp(key, "creator"))
    a->creator = thread(in);
  else
    return false;
  return true;
}

static void access_in(Report *r, JsonIn *in, FindingAccess *a) {
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "created"))
      frames(r, in, &a->created);
    else if (!strcmp(key, "stack"))
      frames(r, in, &a->stack);
    else if (!strcmp(key, "locks"))
      for (in_array(in); in_item(in);) vec_push(&a->locks, lock(r, in));
    else if (!access_field(r, in, key, a))
      in_skip(in);
  }
}

static void memory(Report *r, JsonIn *in, FindingObject *o) {
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "place"))
      o->place = (FindingPlace)word(in, finding_places, 6, "not a place of an object");
    else if (!strcmp(key, "bytes"))
      o->bytes = in_number(in, UINT64_MAX);
    else if (!strcmp(key, "thread"))
      o->thread = thread(in);
    else if (!strcmp(key, "where"))
      frames(r, in, &o->where);
    else
      in_skip(in);
  }
}

static FindingStep step(Report *r, JsonIn *in) {
  FindingStep s = {0};
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "thread"))
      s.thread = number(in);
    else if (!strcmp(key, "role"))
      s.role = (unsigned)word(in, finding_roles, 3, "role must be event, a or b");
    else if (!strcmp(key, "text"))
      s.text = text(r, in);
    else if (!frame_field(r, in, key, &s.at))
      in_skip(in);
  }
  return s;
}

static FindingWait wait_in(JsonIn *in) {
  uint32_t ends[2] = {0};
  size_t n = 0;
  for (in_array(in); in_item(in); ++n) ends[n > 0] = number(in);
  if (n != 2) in_wrong(in, "a wait must be two numbers");
  return (FindingWait){ends[0], ends[1]};
}

static bool finding_field(Report *r, JsonIn *in, const char *key, Finding *f) {
  if (!strcmp(key, "rule"))
    f->rule = text(r, in);
  else if (!strcmp(key, "object"))
    f->object.name = text(r, in);
  else if (!strcmp(key, "kind"))
    f->kind = text(r, in);
  else if (!strcmp(key, "key"))
    f->key = text(r, in);
  else if (!strcmp(key, "status"))
    f->status =
        (FindingStatus)word(in, finding_statuses, 4, "status must be possible, replayed, refuted or benign");
  else if (!strcmp(key, "seen"))
    f->seen = (FindingSeen)word(in, finding_seens, 5,
                                "seen must be unwatched, never-ran, never-met, atomics or unordered");
  else if (!strcmp(key, "known"))
    f->known = in_bool(in), r->has_baseline |= f->known;
  else if (!strcmp(key, "why"))
    f->why = text(r, in);
  else if (!strcmp(key, "followed"))
    f->followed = text(r, in);
  else if (!strcmp(key, "input"))
    f->input = text(r, in);
  else if (!strcmp(key, "recorded"))
    f->recorded = text(r, in);
  else if (!strcmp(key, "stdin"))
    f->stdin_note = text(r, in);
  else if (!strcmp(key, "witness"))
    f->witness = text(r, in);
  else if (!strcmp(key, "merged"))
    f->merged = number(in);
  else if (!strcmp(key, "group"))
    f->group = number(in);
  else if (!strcmp(key, "also"))
    f->also = text(r, in);
  else
    return false;
  return true;
}

static FindingHold hold_in(Report *r, JsonIn *in) {
  FindingHold h = {0};
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "object"))
      h.object = text(r, in);
    else if (!strcmp(key, "shared"))
      h.shared = in_bool(in);
    else if (!frame_field(r, in, key, &h.since))
      in_skip(in);
  }
  if (!h.object) in_wrong(in, "what is held must have an object");
  return h;
}

static void waits_in(Report *r, JsonIn *in, FindingThread *t) {
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "object"))
      t->object = text(r, in);
    else if (!strcmp(key, "does"))
      t->does = text(r, in);
    else if (!strcmp(key, "on"))
      t->on = thread(in);
    else if (!frame_field(r, in, key, &t->at))
      in_skip(in);
  }
}

static void thread_in(Report *r, JsonIn *in, Finding *f) {
  vec_push(&f->threads, ((FindingThread){.on = FINDING_NONE}));
  FindingThread *t = &vec_last(&f->threads);
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "thread"))
      t->thread = number(in);
    else if (!strcmp(key, "routine"))
      t->routine = text(r, in);
    else if (!strcmp(key, "waits"))
      waits_in(r, in, t);
    else if (!strcmp(key, "stack"))
      frames(r, in, &t->stack);
    else if (!strcmp(key, "holds"))
      for (in_array(in); in_item(in);) vec_push(&t->holds, hold_in(r, in));
    else
      in_skip(in);
  }
  if (!t->object || !t->does) in_wrong(in, "a thread of a deadlock must wait for an object");
}

static void check_threads(JsonIn *in, const Finding *f) {
  if (f->rule && !strcmp(f->rule, "deadlock") && !f->threads.len) in_wrong(in, "a deadlock has no threads");
  for (vec_each(i, &f->threads))
    if (f->threads.at[i].on != FINDING_NONE && f->threads.at[i].on >= f->threads.len)
      in_wrong(in, "`on` must be the number of a thread of the deadlock");
}

static void check_finding(JsonIn *in, const Finding *f) {
  if (!f->rule) in_wrong(in, "a race has no rule");
  check_threads(in, f);
  for (vec_each(i, &f->waits)) {
    const FindingWait *w = &f->waits.at[i];
    if (w->from >= w->to || w->to >= f->steps.len) in_wrong(in, "a wait must be for an earlier step");
  }
}

static void finding(Report *r, JsonIn *in) {
  Finding *f = report_add(r);
  bool a = false, b = false;
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "a"))
      a = true, access_in(r, in, &f->a);
    else if (!strcmp(key, "b"))
      b = true, access_in(r, in, &f->b);
    else if (!strcmp(key, "memory"))
      memory(r, in, &f->object);
    else if (!strcmp(key, "schedules"))
      for (in_array(in); in_item(in);) vec_push(&f->schedules, number(in));
    else if (!strcmp(key, "steps"))
      for (in_array(in); in_item(in);) vec_push(&f->steps, step(r, in));
    else if (!strcmp(key, "threads"))
      for (in_array(in); in_item(in);) thread_in(r, in, f);
    else if (!strcmp(key, "waits"))
      for (in_array(in); in_item(in);) vec_push(&f->waits, wait_in(in));
    else if (!finding_field(r, in, key, f))
      in_skip(in);
  }
  if (!a || !b) in_wrong(in, "a race must have two accesses, a and b");
  check_finding(in, f);
}

static FindingGap gap(Report *r, JsonIn *in) {
  FindingGap g = {0};
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "text"))
      g.text = text(r, in);
    else if (!strcmp(key, "file"))
      g.file = text(r, in);
    else if (!strcmp(key, "line"))
      g.line = number(in);
    else
      in_skip(in);
  }
  if (!g.text) in_wrong(in, "an incomplete entry must have a text");
  return g;
}

static FindingLimit limit(Report *r, JsonIn *in) {
  FindingLimit l = {0};
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "name"))
      l.name = text(r, in);
    else if (!strcmp(key, "times"))
      l.times = in_number(in, UINT64_MAX);
    else
      in_skip(in);
  }
  if (!l.name) in_wrong(in, "a limit must have a name");
  return l;
}

static void checked(Report *r, JsonIn *in) {
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "pairs"))
      r->pairs = in_number(in, UINT64_MAX);
    else if (!strcmp(key, "scheduled_share"))
      r->scheduled_share = in_share(in);
    else if (!strcmp(key, "unfinished_threads"))
      r->unfinished = (uint32_t)in_number(in, UINT32_MAX);
    else if (!strcmp(key, "forks"))
      r->forks = in_bool(in);
    else if (!strcmp(key, "runs"))
      r->runs = number(in);
    else if (!strcmp(key, "seed"))
      r->seed = number(in);
    else if (!strcmp(key, "unwatched"))
      r->unwatched = text(r, in);
    else if (!strcmp(key, "limits"))
      for (in_array(in); in_item(in);) vec_push(&r->limits, limit(r, in));
    else
      in_skip(in);
  }
}

static void check_version(JsonIn *in) {
  if (in_number(in, UINT64_MAX) != 1) in_wrong(in, "unknown report version");
}

static void report(Report *r, JsonIn *in) {
  bool races = false, version = false;
  in_object(in);
  for (const char *key; (key = in_key(in));) {
    if (!strcmp(key, "version"))
      version = true, check_version(in);
    else if (!strcmp(key, "program"))
      r->program = text(r, in);
    else if (!strcmp(key, "sigma"))
      r->sigma = text(r, in);
    else if (!strcmp(key, "directory"))
      r->directory = text(r, in);
    else if (!strcmp(key, "examined"))
      for (in_array(in); in_item(in);) vec_push(&r->schedules, number(in));
    else if (!strcmp(key, "races"))
      for (races = true, in_array(in); in_item(in);) finding(r, in);
    else if (!strcmp(key, "deadlocks"))
      for (races = r->deadlocks = true, in_array(in); in_item(in);) finding(r, in);
    else if (!strcmp(key, "checked"))
      checked(r, in);
    else if (!strcmp(key, "incomplete"))
      for (in_array(in); in_item(in);) vec_push(&r->incomplete, gap(r, in));
    else
      in_skip(in);
  }
  if (!version) in_wrong(in, "not a report: it has no version");
  if (!races) in_wrong(in, "not a report: it has no races and no deadlocks");
}

Report *finding_parse(const char *file, Span json, Diags *diags) {
  JsonIn in = {.file = file, .diags = diags};
  Report *r = report_new();
  in_begin(&in, json);
  report(r, &in);
  in_free(&in);
  if (!in.wrong) {
    report_settle(r);
    return r;
  }
  report_free(r);
  return NULL;
}
