# How runs end: by themselves, by a signal, where the recording ends, by what a program does not do.
cat > crash.c <<'END'
#include <pthread.h>
#include <stdio.h>
static int *p;
static void *work(void *x) { return *p = 1, x; }
int main(void) {
  pthread_t t;
  printf("lost in the buffer\n");
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
END
cat > aborts.c <<'END'
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
  (void)argv;
  puts("shown"), fflush(stdout);
  assert(argc == 0);
  return 0;
}
END
cat > status.c <<'END'
#include <stdlib.h>
#include <stdio.h>
int main(void) { fputs("to stderr\n", stderr); exit(7); }
END
cat > frees.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  (void)argv;
  int *volatile p = malloc(sizeof *p * 4);
  free(p);
  return p[argc] & 0;
}
END
for f in crash aborts status frees; do
  specialize-cc -g -pthread -w $f.c -o $f
  (specialize record -o $f.sigma -- ./$f; true) > /dev/null 2>&1
  echo "--- $f"
  try specialize rerun ./$f --sigma $f.sigma
done
echo "--- another order of events than the code has"
cp "$TOP/tests/programs/fig1.c" . && specialize-cc -g -pthread -w fig1.c -o fig1 -lm
specialize record -o fig1.sigma -- ./fig1 2 100 > /dev/null 2>&1
sed 's/argv "\.\/fig1" "2" "100"/argv "\.\/fig1" "3" "100"/' fig1.sigma > other.sigma
try specialize rerun ./fig1 --sigma other.sigma
try specialize rerun ./fig1 --sigma fig1.sigma --limit 1 --counts
