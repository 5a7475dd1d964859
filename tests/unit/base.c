// The containers, the allocator, diagnostics and files.
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ir/ir.h"

static void test_vec(void) {
  Vec(int) v = {0};
  for (int i = 0; i < 1000; ++i) vec_push(&v, i);
  int more[3] = {7, 8, 9};
  vec_append(&v, more, 3);
  assert(v.len == 1003 && v.at[999] == 999 && vec_last(&v) == 9 && vec_pop(&v) == 9 && v.len == 1002);
  vec_free(&v);
}

static void test_map(void) {
  Map *m = map_new();
  assert(map_or(m, 0, 5) == 5 && map_count(m) == 0);
  for (uint64_t i = 0; i < 100000; ++i) map_put(m, i * 4096, i);
  map_put(m, 0, 17);
  assert(map_count(m) == 100000 && map_or(m, 0, 1) == 17 && map_or(m, 1, 99) == 99);
  for (uint64_t i = 1, v; i < 100000; ++i) assert(map_get(m, i * 4096, &v) && v == i);
  map_free(m);
}

static void test_intern(void) {
  Intern *t = intern_new();
  char text[16];
  for (uint32_t i = 0; i < 50000; ++i) assert(intern_id(t, text, (size_t)sprintf(text, "s%u", i)) == i);
  assert(intern_find(t, "s77", 3) == 77 && intern_find(t, "s77x", 4) == INTERN_NONE);
  assert(intern_id(t, "", 0) == 50000 && !strcmp(intern_text(t, 49999), "s49999"));
  intern_free(t);
}

static void test_arena(void) {
  Arena *a = arena_new();
  for (size_t i = 1; i < 200; ++i) memset(arena_alloc(a, i * i * 7), 1, i * i * 7);
  assert(((uintptr_t)arena_alloc(a, 1) & 15) == 0);
  arena_free(a);
}

static void test_diag(void) {
  Diags *d = diags_new();
  diag(d, DIAG_WARNING, (Place){"a.c", 3, 5}, "unknown callee %s", "f\ng");
  diag_note(d, "first here");
  diag(d, DIAG_WARNING, (Place){"a.c", 3, 5}, "unknown callee %s", "f\ng");
  diag_note(d, "first here");
  diag_error(d, "no");
  assert(diags_count(d) == 3 && diags_errors(d) == 1);
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  diags_print(d, f, "tool");
  fclose(f);
  assert(!strcmp(text, "a.c:3:5: warning: unknown callee f\\ng\ntool: note: first here\ntool: error: no\n"));
  free(text);
  diags_free(d);
}

static jmp_buf out;
static void jump(size_t wanted) {
  (void)wanted;
  longjmp(out, 1);
}

static void test_exhausted(void) {
  mem_on_exhausted(jump);
  if (!setjmp(out)) {
    mem_array(SIZE_MAX / 2, 4);
    assert(!"unreachable");
  }
  mem_on_exhausted(NULL);
}

static void test_file(void) {
  char *dir = file_temp_dir();
  char *path = file_join(dir, "x"), *link = file_join(dir, "l");
  assert(file_write(path, "one", 3, 0754) == 0 && symlink("x", link) == 0);
  assert(file_write(link, "three", 5, 0) == 0);
  struct stat st;
  assert(lstat(link, &st) == 0 && S_ISLNK(st.st_mode) && stat(path, &st) == 0 && (st.st_mode & 0777) == 0754);
  Bytes b = {0};
  assert(file_read(path, &b) == 0 && b.len == 5 && !memcmp(b.at, "three", 5));
  vec_free(&b);
  assert(file_read(dir, &b) == EISDIR && file_read("/nowhere/at/all", &b) == ENOENT && !b.at);
  assert(file_write(dir, "x", 1, 0) == EISDIR && file_write("/nowhere/x", "x", 1, 0) == ENOENT);
  assert(file_write("/dev/full", "x", 1, 0) == ENOSPC && file_write("/dev/null", "x", 1, 0) == 0);
  file_remove_tree(dir);
  assert(!file_exists(dir));
  mem_free(path), mem_free(link), mem_free(dir);
}

int main(void) {
  test_vec();
  test_map();
  test_intern();
  test_arena();
  test_diag();
  test_exhausted();
  test_file();
}
