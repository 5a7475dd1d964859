# Arguments, environment and standard input are those of the witness; what is lost is said.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int count;
static char line[80];
static void *worker(void *a) {
  count += (int)strlen(line);
  return a;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  const char *e = getenv("WHO");
  if (!fgets(line, sizeof line, stdin)) return 9;
  if (argc != 3 || !e) return 8;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  fprintf(stderr, "%s %s %s", argv[1], e, line);
  return 0;
}
X
specialize-cc -g -pthread app.c -o app
told() { sed 's/0x[0-9a-f]*[1-9a-f][0-9a-f]*/0xN/g; s/%[0-9]*/%N/g'; }
echo 'some words' | WHO=me specialize record -o app.sigma -- ./app 'a b' c
test_witness ./app app.sigma 0 1.1:app.c:8:w 2.1:app.c:8:w > app.sched
grep -a '^env\|^input\|^origin' app.sched
try specialize replay ./app app.sched < /dev/null 2>&1 | told
sed 's/^input.*/input "stdin" lost/' app.sched > lost.sched
try specialize replay ./app lost.sched 2>&1 | told
# A file that it read.
cat > reads.c <<X
#include <pthread.h>
#include <stdio.h>
static int count;
static void *worker(void *a) {
  count += 1;
  return a;
}
int main(void) {
  pthread_t t[2];
  char line[80];
  FILE *f = fopen("in.txt", "r");
  if (!f || !fgets(line, sizeof line, f)) return 9;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
X
specialize-cc -g -pthread reads.c -o reads
echo words > in.txt
specialize record -o reads.sigma -- ./reads
test_witness ./reads reads.sigma 0 1.1:reads.c:5:w 2.1:reads.c:5:w > reads.sched
try specialize replay ./reads reads.sched 2>&1 | grep -v '^ '
echo others > in.txt
try specialize replay ./reads reads.sched 2>&1 | grep -v '^ '
