// core/sync: what is noticed of the table of operations.
#undef NDEBUG
#include "core/sync.c"
#include "dies.h"

enum { ROWS = 3 };

static void check(void *rows) {
  check_rows(rows, ROWS);
}

static void ask(void *kind) {
  sync_word(*(SyncKind *)kind);
}

int main(void) {
  sync_check();
  SyncKind none = SYNC_KINDS;
  dies_in("sync_word", ask, &none);
  const Sync good[ROWS] = {*sync_find("cnd_wait"), *sync_find("pthread_cond_timedwait"),
                           *sync_find("pthread_create")};
  Sync rows[ROWS];
  memcpy(rows, good, sizeof rows);
  check(rows);
  rows[0].name = "zzz";
  dies_in("check_rows", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[1].mutex.arg = 3;
  dies_in("check_row", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[2].id.place = SYNC_ABSENT;
  dies_in("check_row", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[1].outcomes &= ~(unsigned)SYNC_TIMEDOUT;
  dies_in("check_outcomes", check, rows);
  memcpy(rows, good, sizeof rows);
  rows[0].outcomes |= SYNC_AGAIN;  // no thrd_ code says that
  dies_in("check_outcomes", check, rows);
  return 0;
}
