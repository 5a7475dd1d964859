// ir/library: what library_check notices.
#undef NDEBUG
#include "ir/library.c"
#include "dies.h"

static void check(void *t) {
  check_table(t);
}

static void ask(void *name) {
  library_runs(name, LIBRARY_OCCASIONS);
}

int main(void) {
  library_check();
  dies_in("library_runs", ask, (char[]){"exit"});
  Library *row = (Library *)(uintptr_t)library_find("qsort", false);
  const LibraryCall *calls = row->calls;
  LibraryCall good = calls[0], bad = good;
  row->calls = &bad;
  check(&table);
  bad.type = "void";
  dies_in("check_call", check, &table);
  bad = good, bad.when = LIBRARY_OCCASIONS;
  dies_in("check_call", check, &table);
  bad = good, row->number = 3;  // of nothing that it reads
  dies_in("check_row", check, &table);
  row->number = 0, row->calls = calls;
  uint32_t was = table.row.at[0];
  table.row.at[0] = (uint32_t)table.rows.len;
  dies_in("check_table", check, &table);
  table.row.at[0] = was;
  check(&table);
  return 0;
}
