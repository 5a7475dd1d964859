// recording DIR: what lies below DIR as recordings. Prints how many events they hold, how many bytes those
// take on disk once packed (without notes and the like), how many bytes all that is packed takes, and seconds
// to put them in one order. Columns without a head, for bench/record.py.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <dirent.h>
#include "ir/ir.h"
#include "rt/rt.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  uint64_t events, bytes, packed;
  double seconds;
} Sum;

static uint64_t packed_size(const RtRecording *r) {
  FILE *f = tmpfile();
  struct stat st;
  if (!f || rt_recording_pack(r, fileno(f)) || fstat(fileno(f), &st)) exit(1);
  fclose(f);
  return (uint64_t)st.st_size;
}

static bool add(const char *path, Sum *sum) {
  const char *why = NULL;
  RtRecording *r = rt_recording_open(path, &why);
  if (!r) return fprintf(stderr, "%s: %s\n", path, why), false;
  double start = now();
  RtMerge *m = rt_merge_new(r);
  RtEvent e;
  while (m && rt_merge_next(m, &e)) sum->events += e.entry.op != RT_OBJECT && e.entry.op != RT_START;
  sum->seconds += now() - start;
  sum->bytes += rt_recording_bytes(r);
  sum->packed += packed_size(r);
  rt_merge_free(m);
  rt_recording_close(r);
  return m;
}

int main(int argc, char **argv) {
  DIR *d = argc == 2 ? opendir(argv[1]) : NULL;
  if (!d) return fprintf(stderr, "usage: recording DIR\n"), 2;
  Sum sum = {0};
  bool ok = true;
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    char *path = file_join(argv[1], e->d_name);
    ok &= add(path, &sum);
    mem_free(path);
  }
  closedir(d);
  printf("%llu %llu %llu %.3f\n", sum.events + 0ull, sum.bytes + 0ull, sum.packed + 0ull, sum.seconds);
  return !ok;
}
