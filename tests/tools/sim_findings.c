#include "sim_findings.h"
#include <inttypes.h>

typedef struct {
  Report *r;
  uint64_t state;
  bool odd;
} Sim;

static uint32_t draw(Sim *s, uint32_t below) {
  s->state = s->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(s->state >> 33) % below;
}

static const char *one_of(Sim *s, const char *const *names, uint32_t n) {
  static const char *const odds[] = {
      "a\xff"
      "b\x1b[31m</script><!--",
      "größe {0} [1](2) \\", "::error::%0A,x:y",
      "\xc2\x9b"
      "1m\r\n\xe2\x80\xae",
      "'\"`$(x)"};
  if (s->odd && !draw(s, 3)) return draw(s, 4) ? odds[draw(s, 5)] : NULL;
  return names[draw(s, n)];
}
#define ONE_OF(s, names) one_of((s), (names), sizeof(names) / sizeof *(names))

// One draw a statement: in what order parts of an initializer are drawn is up to the compiler.
static FindingFrame frame(Sim *s) {
  static const char *const functions[] = {"worker", "publish", "look",
                                          "main",   "mix",     "Queue<int>::push(int const&)"};
  static const char *const files[] = {"racy.c", "aget.c", "pbzip.c", "adhoc.c", "dedup.cc"};
  FindingFrame f = {.line = 30 + draw(s, 60)};
  f.function = report_intern(s->r, ONE_OF(s, functions));
  f.file = report_intern(s->r, ONE_OF(s, files));
  if (s->odd && !draw(s, 6)) f.line = 0;
  if (draw(s, 3)) f.column = 3 + draw(s, 20);
  return f;
}

static FindingFrames frames(Sim *s, uint32_t most) {
  FindingFrames all = {0};
  for (uint32_t i = 1 + draw(s, most); i--;) vec_push(&all, frame(s));
  if (!draw(s, 4))
    vec_push(&all, ((FindingFrame){.function = report_intern(s->r, "qsort"),
                                   .library = report_intern(s->r, "libc.so.6")}));
  return all;
}

static FindingLock lock(Sim *s) {
  FindingLock l = {.name = report_intern(s->r, "alloc.c:malloc_lock"), .created = frame(s)};
  l.shared = draw(s, 2);
  return l;
}

static FindingAccess access_by(Sim *s, uint32_t thread, FindingKind kind) {
  static const char *const routines[] = {"worker", "consumer"};
  FindingAccess a = {.stack = frames(s, 4), .thread = thread, .kind = kind, .creator = FINDING_NONE};
  a.bytes = UINT64_C(1) << draw(s, 4);
  if (!s->odd || draw(s, 4)) a.at = a.stack.at[0];
  a.site = report_print(s->r, "%s%%%" PRIu32, a.at.function ? a.at.function : "f", draw(s, 400));
  a.atomic = kind != FINDING_FREE && !draw(s, 8);
  a.schedule = draw(s, 3);
  if (thread) {
    a.routine = report_intern(s->r, ONE_OF(s, routines));
    a.creator = 0;
    a.created = frames(s, 2);
  }
  if (!draw(s, 3)) vec_push(&a.locks, lock(s));
  return a;
}

static FindingObject object(Sim *s) {
  static const char *const names[] = {"counter", "box.size", "published", "elements", "torn", "job->done"};
  FindingObject o = {.place = (FindingPlace)draw(s, 6)};
  o.name = report_intern(s->r, ONE_OF(s, names));
  o.bytes = draw(s, 3) ? 8 : 0;
  o.thread = draw(s, 2) ? 0 : FINDING_NONE;
  if (draw(s, 5)) o.where = frames(s, 2);
  return o;
}

static void interleave(Sim *s, Finding *f) {
  static const char *const texts[] = {"lock m0",   "unlock m0", "wait c0 m0", "signal c0",
                                      "arrive b0", "post s1",   "create T2"};
  uint32_t n = 2 + draw(s, 14), last[8] = {0};
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t thread = draw(s, 4);
    FindingStep step = {.thread = thread, .at = frame(s)};
    step.text = report_intern(s->r, ONE_OF(s, texts));
    for (uint32_t other = 0; other < 4; ++other)
      if (other != thread && last[other] && !draw(s, 4))
        vec_push(&f->waits, ((FindingWait){last[other] - 1, i}));
    vec_push(&f->steps, step);
    last[thread] = i + 1;
  }
  vec_push(&f->steps, ((FindingStep){.thread = f->a.thread,
                                     .role = FINDING_A,
                                     .text = report_intern(s->r, "the first access"),
                                     .at = f->a.at}));
  vec_push(&f->steps, ((FindingStep){.thread = f->b.thread, .role = FINDING_B, .at = f->b.at}));
}

static void one(Sim *s) {
  static const char *const followed[] = {"died of signal 11 (Segmentation fault)",
                                         "the output differs from the recorded run", "nothing visible"};
  Finding *f = report_add(s->r);
  uint32_t thread = 1 + draw(s, 3);
  f->a = access_by(s, thread, draw(s, 5) ? FINDING_WRITE : FINDING_FREE);
  f->b = access_by(s, (thread + 1) % 4, draw(s, 2) ? FINDING_READ : FINDING_WRITE);
  f->object = object(s);
  for (uint32_t i = 1 + draw(s, 3); i--;) vec_push(&f->schedules, draw(s, 4));
  f->status = (FindingStatus)draw(s, 4);
  f->why =
      report_intern(s->r, f->status == FINDING_REFUTED
                              ? "the addresses never overlapped in the replay"
                              : "no event of T1 after the write comes before an event of T2 before the read");
  if (f->status == FINDING_REPLAYED) f->followed = report_intern(s->r, ONE_OF(s, followed));
  f->input = report_intern(s->r, "./app 2 'a b'");
  if (!draw(s, 3)) f->stdin_note = report_intern(s->r, "120 bytes, kept in the witness");
  if (draw(s, 4)) f->witness = report_print(s->r, "witness/%zu.sched", s->r->findings.len);
  if (draw(s, 6)) interleave(s, f);
}

Report *sim_findings(uint64_t seed, size_t count, bool odd) {
  Sim s = {report_new(), seed * 2 + 1, odd};
  static const char *const programs[] = {"./app"}, *const gaps[] = {"a call of a function that is not known",
                                                                    "inline assembly"};
  s.r->program = report_intern(s.r, ONE_OF(&s, programs));
  s.r->sigma = report_intern(s.r, "app.sigma");
  s.r->directory = odd ? NULL : report_intern(s.r, "/src/app");
  for (uint32_t i = 0; i < 4; ++i) vec_push(&s.r->schedules, i);
  s.r->pairs = 1000 + 37 * count;
  s.r->scheduled_share = count % 2 ? .873 : 1;
  for (size_t i = 0; i < count; ++i) one(&s);
  for (uint32_t i = count ? draw(&s, 4) : 0; i--;) {
    FindingFrame f = frame(&s);
    vec_push(&s.r->incomplete, ((FindingGap){gaps[draw(&s, 2)], f.file, f.line}));
  }
  return s.r;
}
