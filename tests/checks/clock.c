// sigma/clock: what clocks_check notices.
#undef NDEBUG
#include "sigma/clock.c"
#include "dies.h"

enum { THREADS = 100, MADE = 200 };
typedef struct {
  Clocks *cs;
  uint32_t made[MADE];
} Made;

static void check(void *data) {
  const Made *m = data;
  clocks_check(m->cs, m->made, MADE);
}

// Every tenth clock is kept, as after the events of a schedule.
static void make(Made *m) {
  m->cs = clocks_new(THREADS);
  for (uint32_t i = 0, now = 0; i < MADE; ++i) {
    for (uint32_t k = 0; k < 10; ++k)
      now = clock_join(m->cs, now, i ? m->made[i / 2] : 0, (i * 37 + k * 11) % THREADS, i + 1);
    clocks_keep(m->cs);
    m->made[i] = now;
  }
  clocks_finish(m->cs);
}

int main(void) {
  Made m;
  make(&m);
  check(&m);
  Clocks *cs = m.cs;
  uint32_t last = m.made[MADE - 1];
  int i = 0;
  while (!cs->nodes.at[last].at[i]) ++i;
  uint32_t child = cs->nodes.at[last].at[i];

  cs->nodes.at[last].at[i] = (uint32_t)cs->nodes.len;
  dies_in("check_node", check, &m);
  cs->nodes.at[last].at[i] = last;  // inside itself
  dies_in("check_node", check, &m);
  cs->nodes.at[last].at[i] = child;
  cs->nodes.at[0].at[3] = 1;
  dies_in("clocks_check", check, &m);
  cs->nodes.at[0].at[3] = 0;
  m.made[0] = child;  // no root
  dies_in("check_node", check, &m);
  m.made[0] = last;
  cs->kept = cs->nodes.len + 1;
  dies_in("clocks_check", check, &m);
  cs->kept = cs->nodes.len, cs->levels++;
  dies_in("check_node", check, &m);
  cs->levels--;
  check(&m);
  clocks_free(cs);
  return 0;
}
