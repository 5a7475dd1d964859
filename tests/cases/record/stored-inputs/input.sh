# What a run read is kept in its schedule, and the program reads what it would have read.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *run(void *a) { return a; }
int main(int argc, char **argv) {
  char line[100];
  size_t n = 0;
  const char *how = argv[1];
  getenv("ASKED"), getenv("NOT_SET");
  if (!strcmp(how, "line") && fgets(line, sizeof line, stdin)) printf("%s", line);
  if (!strcmp(how, "all")) { while (getchar() != EOF) ++n; printf("%zu bytes\n", n); }
  if (!strcmp(how, "byte")) printf("%zd %c\n", read(0, line, 1), line[0]);
  for (int i = 2; i < argc; ++i) {
    FILE *f = fopen(argv[i], "r");
    for (n = 0; f && getc(f) != EOF;) ++n;
    printf("%s %zu\n", argv[i], n);
    if (f) fclose(f);
  }
  if (!strcmp(how, "remove")) remove(argv[2]);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
X
specialize-cc -O1 -g -pthread app.c -o app
record() { rm -f app.sigma; ASKED='a b' specialize record -o app.sigma -- ./app "$@" 2> /dev/null || echo "exit $?"; }
look() { specialize check ./app app.sigma > checked || cat checked; python3 "$TOP/tests/referee.py" app.sigma; grep -E '^(env|input)' app.sigma; }
printf 'one\ntwo\n\0\377' > small
head -c 65536 /dev/zero > most; head -c 65537 /dev/zero > large
echo "-- nothing is read: what is in the pipe stays there"
printf 'one\ntwo\n' | { record none; cat; }; look
echo "-- pipes"
printf 'one\ntwo\n' | record line; look
cat small | record all; look
{ echo first; sleep 0.2; echo second; } | record all; look
printf 'xyz' | record byte; look
cat most | record all; look | cut -c -40
cat large | record all; look
head -c 10000000 /dev/zero | record all; look
yes | head -c 3000 | record byte; look
echo "-- a file, from where it stands; nothing; closed"
{ read -r _; record line; } < small; look
record all < /dev/null; look
record all <&-; look
echo "-- files"
cp small b.txt; cp small 'a "file'
record files b.txt 'a "file' most large small b.txt missing; look | sed 's/\(copy.\{30\}\).*/\1/'
record remove b.txt; look
for i in 1 2 3 4 5 6 7 8; do echo $i > n$i; done  # their numbers on the disk are neighbours
record files n1 n2 n3 n4 n5 n6 n7 n8 | wc -l; look
record files /proc/self/limits | sed 's/[0-9]*$/N/'; look | sed 's/proc.[0-9]*/proc\/N/'
