#include "reader.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "parts.h"

static bool part_add(RtRecording *r, Part p) {
  if (r->count == r->room) {
    size_t room = r->room ? r->room * 2 : 64;
    Part *more = realloc(r->parts, room * sizeof *more);
    if (!more) return free(p.at), false;
    r->parts = more;
    r->room = room;
  }
  r->parts[r->count++] = p;
  return true;
}

// The whole of a regular file, and whose it is.
static unsigned char *file_whole(int dir, const char *name, size_t *size, uid_t *owner) {
  int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return NULL;
  struct stat st;
  unsigned char *at = NULL;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) at = malloc((size_t)st.st_size + 1);
  size_t len = 0;
  for (ssize_t n = 1; at && n > 0 && len<(size_t)st.st_size; len += n> 0 ? (size_t)n : 0)
    n = read(fd, at + len, (size_t)st.st_size - len);
  close(fd);
  *owner = st.st_uid;
  *size = len;
  return at;
}

static bool number(const char **s, uint32_t *out) {
  uint64_t v = 0;
  const char *start = *s;
  while (**s >= '0' && **s <= '9' && v <= UINT32_MAX) v = v * 10 + (uint64_t)(*(*s)++ - '0');
  *out = (uint32_t)v;
  return *s > start && v <= UINT32_MAX;
}

// What a file's name says it is; false: not ours.
static bool part_named(const char *name, Part *p) {
  memset(p, 0, sizeof *p);
  p->kind = !strcmp(name, "process") ? 'p' : !strcmp(name, "notes") ? 'n' : !strcmp(name, "waits") ? 'w' : 0;
  if (p->kind) return true;
  const char *s = name;
  if (*s != 'e' && *s != 'b') return false;
  p->kind = (unsigned char)*s++;
  return number(&s, &p->thread) && *s++ == '.' && number(&s, &p->segment) && !*s;
}

// A program that root starts may go on as another user, who then writes into a folder of root's. Others could
// too: files of more than one more are refused.
typedef struct {
  uid_t owner, other;
  bool shared, has_other;
} Owners;

static bool owner_fits(Owners *o, uid_t file) {
  if (file == o->owner) return true;
  if (!o->shared || (o->has_other && file != o->other)) return false;
  o->other = file;
  return o->has_other = true;
}

static bool parts_load(RtRecording *r, const char *path, const char **why) {
  DIR *d = opendir(path);
  if (!d) return *why = strerror(errno), false;
  struct stat st;
  bool fine = !fstat(dirfd(d), &st), ours = true;
  Owners owners = {.owner = st.st_uid, .shared = !st.st_uid && st.st_mode & S_ISVTX};
  for (struct dirent *e; fine && ours && (e = readdir(d));) {
    Part p;
    uid_t owner;
    if (!part_named(e->d_name, &p)) continue;
    p.at = file_whole(dirfd(d), e->d_name, &p.size, &owner);
    if (p.at) fine = part_add(r, p), ours = owner_fits(&owners, owner);
  }
  closedir(d);
  if (!fine) *why = "out of memory";
  if (!ours) *why = "has files of another user";
  return fine && ours;
}

static uint64_t sum(const unsigned char *at, size_t size) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; ++i) h = (h ^ at[i]) * UINT64_C(0x100000001b3);
  return h;
}

// Parts up to the first that is cut or damaged.
static bool parts_unpack(RtRecording *r, const unsigned char *at, size_t size, const char **why) {
  PackHead head;
  if (size < sizeof head) return *why = "cut short", false;
  memcpy(&head, at, sizeof head);
  if (memcmp(head.magic, PACK_MAGIC, sizeof head.magic)) return *why = "not a recording", false;
  if (head.version != RT_LOG_VERSION) return *why = "the recording has another version", false;
  for (size_t i = sizeof head; size - i >= sizeof(PackPart);) {
    PackPart p;
    memcpy(&p, at + i, sizeof p);
    i += sizeof p;
    if (p.size > size - i || p.sum != sum(at + i, (size_t)p.size)) break;
    Part part = {(unsigned char)p.kind, p.thread, p.segment, malloc((size_t)p.size + 1), (size_t)p.size};
    if (part.at) memcpy(part.at, at + i, part.size);
    if (!part.at || !part_add(r, part)) return *why = "out of memory", false;
    i += part.size;
  }
  return true;
}

static int part_order(const void *a, const void *b) {
  const Part *p = a, *q = b;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  if (p->thread != q->thread) return p->thread < q->thread ? -1 : 1;
  return (p->segment > q->segment) - (p->segment < q->segment);
}

// The first part of each thread.
static bool threads_find(RtRecording *r) {
  r->threads = malloc((r->count + 1) * sizeof *r->threads);
  if (!r->threads) return false;
  for (size_t i = 0; i < r->count; ++i)
    if (r->parts[i].kind == 'e' &&
        (i == 0 || r->parts[i - 1].kind != 'e' || r->parts[i - 1].thread != r->parts[i].thread))
      r->threads[r->threads_count++] = i;
  return true;
}

static bool process_read(RtRecording *r, const char **why) {
  const Part *p = NULL;
  for (size_t i = 0; i < r->count; ++i)
    if (r->parts[i].kind == 'p') p = &r->parts[i];
  if (!p) return *why = "not a recording", false;
  if (p->size < sizeof r->process) return *why = "its process file is truncated", false;
  memcpy(&r->process, p->at, sizeof r->process);
  if (memcmp(r->process.magic, "SPRP", 4)) return *why = "not a recording", false;
  if (r->process.version != RT_LOG_VERSION) return *why = "the recording has another version", false;
  r->process.from[sizeof r->process.from - 1] = 0;
  if (r->process.frames > RT_FRAMES) r->process.frames = RT_FRAMES;
  return true;
}

// Takes what parts_load or parts_unpack made of r.
static RtRecording *finish(RtRecording *r, bool loaded, const char **why) {
  if (loaded && r->count) qsort(r->parts, r->count, sizeof *r->parts, part_order);
  if (loaded && process_read(r, why)) {
    if (threads_find(r)) return r;
    *why = "out of memory";
  }
  rt_recording_close(r);
  return NULL;
}

RtRecording *rt_recording_unpack(const void *at, size_t size, const char **why) {
  RtRecording *r = calloc(1, sizeof *r);
  if (!r) return *why = "out of memory", NULL;
  return finish(r, parts_unpack(r, at, size, why), why);
}

RtRecording *rt_recording_open(const char *path, const char **why) {
  struct stat st;
  if (stat(path, &st)) return *why = strerror(errno), NULL;
  if (S_ISDIR(st.st_mode)) {
    RtRecording *r = calloc(1, sizeof *r);
    if (!r) return *why = "out of memory", NULL;
    return finish(r, parts_load(r, path, why), why);
  }
  size_t size = 0;
  uid_t owner;
  char *real = realpath(path, NULL);
  unsigned char *at = real ? file_whole(AT_FDCWD, real, &size, &owner) : NULL;
  free(real);
  if (!at) return *why = "not a file", NULL;
  RtRecording *r = rt_recording_unpack(at, size, why);
  free(at);
  return r;
}

void rt_recording_close(RtRecording *r) {
  if (!r) return;
  for (size_t i = 0; i < r->count; ++i) free(r->parts[i].at);
  free(r->parts);
  free(r->threads);
  free(r);
}

// What is used of a part. The last entry of an open segment may end in zeros.
static size_t used(const Part *p) {
  RtSegment s;
  if ((p->kind != 'e' && p->kind != 'b') || p->size < sizeof s) return p->size;
  memcpy(&s, p->at, sizeof s);
  uint64_t head = atomic_load(&s.head);
  if (head) return head < p->size - sizeof s ? (size_t)head + sizeof s : p->size;
  size_t n = p->size;
  while (n > sizeof s && !p->at[n - 1]) --n;
  return p->size - n < CODEC_ROOM ? p->size : n + CODEC_ROOM;
}

static int write_all(int fd, const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    at += n;
    size -= (size_t)n;
  }
  return 0;
}

int rt_recording_pack(const RtRecording *r, int fd) {
  PackHead head = {PACK_MAGIC, RT_LOG_VERSION};
  int e = write_all(fd, &head, sizeof head);
  for (size_t i = 0; !e && i < r->count; ++i) {
    const Part *p = &r->parts[i];
    size_t size = p->kind == 'p' ? sizeof r->process : used(p);
    PackPart part = {p->kind, p->thread, p->segment, 0, size, sum(p->at, size)};
    e = write_all(fd, &part, sizeof part);
    if (!e) e = write_all(fd, p->at, size);
  }
  return e;
}

const RtProcess *rt_recording_process(const RtRecording *r) {
  return &r->process;
}

size_t rt_recording_threads(const RtRecording *r) {
  return r->threads_count;
}

uint32_t rt_recording_thread(const RtRecording *r, size_t i) {
  return r->parts[r->threads[i]].thread;
}

size_t rt_recording_bytes(const RtRecording *r) {
  size_t n = 0;
  for (size_t i = 0; i < r->count; ++i)
    if (r->parts[i].kind == 'e') n += used(&r->parts[i]);
  return n;
}

bool rt_recording_stand(const RtRecording *r, size_t i, RtStand *out) {
  const Part *p = NULL;
  for (size_t k = 0; k < r->count; ++k)
    if (r->parts[k].kind == 'w') p = &r->parts[k];
  if (!p || i >= RT_STANDS || p->size / sizeof *out <= i) return false;
  memcpy(out, p->at + i * sizeof *out, sizeof *out);
  return true;
}

bool rt_recording_note(const RtRecording *r, size_t *at, RtNoteText *out) {
  const Part *p = NULL;
  for (size_t i = 0; i < r->count; ++i)
    if (r->parts[i].kind == 'n') p = &r->parts[i];
  RtNote note;
  if (!p || p->size < *at || p->size - *at < sizeof note) return false;
  memcpy(&note, p->at + *at, sizeof note);
  if (note.kind == RT_NOTE_NONE || note.kind >= RT_NOTES || note.size > p->size - *at - sizeof note)
    return false;
  *out = (RtNoteText){(RtNoteKind)note.kind, p->at + *at + sizeof note, note.size};
  *at += sizeof note + note.size;
  return true;
}

const char *rt_op_word(RtOp op) {
  static const char *const words[] = {
      "none",
#define NUMBERED(id, word) word,
#define PLAIN(id, word) word,
#include "ops.def"
  };
  return op < RT_OPS ? words[op] : "unknown";
}

bool rt_op_numbered(RtOp op) {
  return op > RT_NONE && op < RT_FIRST_PLAIN;
}
