// replay DIR: calls a fuzz target once for each file there; the main of builds without libFuzzer.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include "core/core.h"
#include "fuzz.h"

static int is_seed(const struct dirent *e) {
  return e->d_name[0] != '.';
}

int main(int argc, char **argv) {
  struct dirent **entries = NULL;
  int n = argc == 2 ? scandir(argv[1], &entries, is_seed, alphasort) : -1;
  if (n <= 0) {
    fprintf(stderr, "replay: no seeds\n");
    return 1;
  }
  for (int i = 0; i < n; ++i) {
    Bytes data = {0};
    char *path = file_join(argv[1], entries[i]->d_name);
    if (file_read(path, &data)) return 1;
    LLVMFuzzerTestOneInput(data.at, data.len);
    mem_free(path);
    vec_free(&data);
    free(entries[i]);
  }
  free(entries);
  printf("%d seeds\n", n);
  return 0;
}
