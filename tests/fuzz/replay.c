// Runs a fuzz target without a fuzzer: on the files of the folders given, and on simple changes of each. So
// what fuzzing once found is tried in every test run, with every compiler.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include "ir/ir.h"
#include "fuzz.h"

enum { CHANGES = 300 };

static uint32_t state = 1;
static uint32_t next(void) {
  return (state = state * 1664525u + 1013904223u) >> 8;
}

static void try_changes(const Bytes *file) {
  LLVMFuzzerTestOneInput(file->at, file->len);
  for (int i = 0; i < CHANGES && file->len; ++i) {
    size_t len = i % 3 ? file->len : next() % file->len;
    unsigned char *copy = mem_copy(file->at, len);
    for (int k = 0; k < i % 5 && len; ++k) copy[next() % len] = (unsigned char)next();
    LLVMFuzzerTestOneInput(copy, len);
    mem_free(copy);
  }
}

static int is_seed(const struct dirent *e) {
  return e->d_name[0] != '.';
}

static int try_folder(const char *name) {
  struct dirent **seeds = NULL;
  int n = scandir(name, &seeds, is_seed, alphasort);
  for (int i = 0; i < n; ++i) {
    Bytes b = {0};
    char *path = file_join(name, seeds[i]->d_name);
    if (!file_read(path, &b)) try_changes(&b);
    vec_free(&b);
    mem_free(path);
    free(seeds[i]);
  }
  free(seeds);
  if (n <= 0) fprintf(stderr, "%s: no seeds\n", name);
  return n <= 0;
}

int main(int argc, char **argv) {
  int bad = argc < 2;
  for (int i = 1; i < argc; ++i) bad |= try_folder(argv[i]);
  return bad;
}
