// Who has been woken and does not run yet looks like who sleeps on, for a moment: so several looks must
// agree.
#include "stand.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 5 };

// What stands behind the name in brackets, which may hold anything. 0: it is not there.
static char state_of(pid_t pid, const char *task) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%ld/task/%.20s/stat", (long)pid, task);
  FILE *f = fopen(path, "re");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  text[n] = 0;
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' ? end[2] : 0;
}

static const RtStand *slot_of(const RtStand *slots, uint32_t count, uint32_t task) {
  for (uint32_t i = 0; i < count; ++i)
    if (atomic_load(&slots[i].thread) && atomic_load(&slots[i].task) == task) return &slots[i];
  return NULL;
}

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

// 0: somebody does not wait.
static uint64_t look_once(const RtStand *slots, uint32_t count, pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
  DIR *d = opendir(path);
  uint64_t all = d ? 1 : 0;
  for (struct dirent *e; all && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    char state = state_of(pid, e->d_name);
    if (state == 'Z' || state == 'X') continue;
    const RtStand *s = slot_of(slots, count, (uint32_t)strtoul(e->d_name, NULL, 10));
    bool others = s && s->kind != RT_STAND_JOIN && s->more;
    uint32_t turn = s && !others ? atomic_load(&s->turn) : 0;
    all = state == 'S' && turn & 1 ? mix(mix(all, atomic_load(&s->task)), turn) | 1 : 0;
  }
  if (d) closedir(d);
  return all == 1 ? 0 : all;
}

bool rt_stand_all(const RtStand *slots, uint32_t count, pid_t pid, RtStandLook *look) {
  uint64_t now = look_once(slots, count, pid);
  look->times = now && now == look->seen ? look->times + 1 : 0;
  look->seen = now;
  return look->times >= LOOKS;
}
