// ir/outside: what is noticed of the tables of functions outside.
#undef NDEBUG
#include "ir/outside.c"
#include "dies.h"

enum { ROWS = 3 };

static void check(void *rows) {
  check_calls(rows, ROWS);
}

static void check_names(void *names) {
  check_quiet(names, ROWS);
}

static void ask(void *name) {
  outside_runs(name, OUTSIDE_OCCASIONS);
}

int main(void) {
  outside_check();
  dies_in("outside_runs", ask, (char[]){"exit"});
  OutsideCall good[ROWS] = {calls[0], calls[1], calls[2]}, rows[ROWS];
  memcpy(rows, good, sizeof rows);
  check(rows);
  rows[1].name = "zzz";
  dies_in("check_calls", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[2].name = "zzz", rows[2].when = OUTSIDE_OCCASIONS;
  dies_in("check_calls", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[2].name = "strlen";  // which calls nothing back
  dies_in("check_calls", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[0].type = "void";
  dies_in("check_calls", check, rows);
  const char *names[ROWS] = {"abs", "sem_post", "tan"};
  dies_in("check_quiet", check_names, names);
  names[1] = "zzz";
  dies_in("check_quiet", check_names, names);
  names[1] = "sin";
  check_names(names);
  return 0;
}
