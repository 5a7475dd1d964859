// Recordings: the reader, the merge, and the import into Σ. Whatever is in one, what comes out is a schedule
// that can have happened, and that Σ can keep; or a message.
//
// An input is read as a packed recording, and as the parts of one: kind, thread, segment (a byte each), size
// (two bytes), then the bytes; so that no sum has to be found by chance. recorded/pack.py makes such from
// real ones.
#undef NDEBUG
#include <assert.h>
#include <stdlib.h>
#include "fuzz.h"
#include "rt/rt.h"
#include "record/record.h"

enum { MOST = 6000, PACK_HEAD = 8 };  // a byte may stand for 126 entries
typedef struct {
  uint32_t kind, thread, segment, unused;
  uint64_t size, sum;
} Part;

static Sites *sites;
static Callgraph *graph;
static Maysync *sync_of;

// The module that the seeds are of.
static void load(void) {
  Diags *d = diags_new();
  Bytes code = {0};
  assert(!file_read(RECORDED, &code));
  LLVMModuleRef m = module_parse(module_context(d), span_of(code.at, code.len), RECORDED, d);
  assert(m);
  sites = sites_new(m);
  graph = callgraph_new(m, sites);
  sync_of = maysync_new(graph);
  vec_free(&code);
  diags_free(d);
}

static uint64_t sum(const unsigned char *at, size_t size) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; ++i) h = (h ^ at[i]) * UINT64_C(0x100000001b3);
  return h;
}

static void add(Bytes *out, Part p, const void *at) {
  p.sum = sum(at, p.size);
  vec_append(out, (const unsigned char *)&p, sizeof p);
  vec_append(out, (const unsigned char *)at, p.size);
}

static Bytes packed(const uint8_t *at, size_t size) {
  Bytes out = {0};
  RtProcess process = {.magic = "SPRP", .version = RT_LOG_VERSION, .end = RT_END_EXIT};
  static const unsigned char head[PACK_HEAD] = {'S', 'P', 'R', 'K', RT_LOG_VERSION};
  vec_append(&out, head, sizeof head);
  for (size_t i = 0; size - i >= 5;) {
    size_t n = at[i + 3] | (size_t)at[i + 4] << 8;
    Part p = {at[i], at[i + 1], at[i + 2], 0, n < size - i - 5 ? n : size - i - 5, 0};
    i += 5;
    if (p.kind == 'p')
      memcpy(&process, at + i, p.size < sizeof process ? p.size : sizeof process);
    else
      add(&out, p, at + i);
    i += p.size;
  }
  process.version = RT_LOG_VERSION;
  memcpy(process.magic, "SPRP", 4);
  add(&out, (Part){'p', 0, 0, 0, sizeof process, 0}, &process);
  return out;
}

static void look(const RtRecording *r) {
  size_t at = 0;
  for (RtNoteText n; rt_recording_note(r, &at, &n);) continue;
  for (size_t i = 0; i < rt_recording_threads(r); ++i) {
    RtCursor *c = rt_branches_new(r, i);
    for (uint32_t id; rt_branches_next(c, &id);) assert(id);
    rt_cursor_free(c);
  }
}

static void import(const RtRecording *r) {
  Diags *d = diags_new();
  Sigma *s = sigma_new("app", "00"), *again;
  ImportNames names = {sites, graph, sync_of, "/nothing"};
  Exclude busiest = {.most = 0};
  ImportOptions o = {.order = SIGMA_HB, .status = -1, .exclude = &busiest};
  ImportResult result;
  if (import_recording(s, r, &names, &o, &result, d) != SIGMA_NONE) {
    Bytes text = {0};
    assert(result == IMPORT_ADDED && sigma_check(s, d));
    sigma_print(s, &text);
    again = sigma_parse(span_of(text.at, text.len), "again.sigma", d);
    bool same = again && sigma_check(again, d);
    if (!same) diags_print(d, stderr, "fuzz"), fwrite(text.at, 1, text.len, stderr);
    assert(same);
    sigma_free(again);
    vec_free(&text);
  } else {
    assert(diags_errors(d));
  }
  sigma_free(s);
  diags_free(d);
}

static void try(const void *at, size_t size) {
  const char *why = NULL;
  RtRecording *r = rt_recording_unpack(at, size, &why);
  if (!r) {
    assert(why);
    return;
  }
  look(r);
  import(r);
  rt_recording_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!sites) load();
  if (size > MOST) return 0;
  try(data, size);
  Bytes b = packed(data, size);
  try(b.at, b.len);
  vec_free(&b);
  return 0;
}
