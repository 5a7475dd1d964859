#include "options.h"
#include "verbs.h"
int verb_doctor(int argc, char **argv) {
  (void)argc, (void)argv;
  return 0;
}
