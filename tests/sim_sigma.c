// sim_sigma SEED THREADS EVENTS [odd]: prints a Σ that a simulator made (tools/sim.h). With odd, its names
// and texts hold every kind of byte, and it has several schedules.
#include <stdio.h>
#include <stdlib.h>
#include "sim.h"

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: sim_sigma SEED THREADS EVENTS [odd]\n"), 2;
  SimOptions o = {.seed = strtoull(argv[1], NULL, 10),
                  .threads = (uint32_t)atol(argv[2]),
                  .events = (uint32_t)atol(argv[3]),
                  .objects = 4,
                  .calm = argc == 4,
                  .odd = argc > 4};
  Sigma *s = sim_sigma(o);
  if (o.odd) ++o.seed, sim_schedule(s, o);
  Bytes out = {0};
  sigma_print(s, &out);
  int err = file_write_fd(1, out.at, out.len);
  vec_free(&out);
  sigma_free(s);
  return err != 0;
}
