# What functions of libraries read, write, or keep between calls.
. "$TOP/tests/races.sh"
threads() {
  cat > app.c <<X
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char buffer[64], copy[64], text[] = "a b c", more[] = "d e f";
static char *word[2];
static void *first(void *arg) {
  $1
  return arg;
}
static void *second(void *arg) {
  $2
  return arg;
}
$END_OF_THREADS
X
  rm -f app.sigma
  flags="-O1 -Wno-unused-result" made app < app.c
  races app
}
threads 'memcpy(copy, buffer, 64);' 'memset(buffer, 1, 64);'
threads 'memcpy(copy, buffer, 32);' 'memset(buffer + 32, 1, 32);'
threads 'memcpy(copy, buffer, 33);' 'memset(buffer + 32, 1, 32);'
threads 'read(0, buffer, 16);' 'copy[0] = buffer[3];'
threads 'FILE *f = fopen("app.c", "r"); if (f) fread(buffer, 1, 16, f), fclose(f);' 'write(2, buffer, 0);'
threads 'word[0] = strtok(text, " ");' 'word[1] = strtok(more, " ");'
threads 'char *at; word[0] = strtok_r(text, " ", &at);' 'char *at; word[1] = strtok_r(more, " ", &at);'
threads 'strcpy(buffer, "x");' 'word[0] = (char *)strlen(buffer);'
threads 'snprintf(buffer, 8, "%d", 5);' 'copy[0] = buffer[8];'
threads 'errno = 5; copy[0] = (char)errno;' 'copy[1] = (char)errno;'
threads '*(int **)buffer = &errno; copy[0] = (char)errno;' 'int *other = *(int **)buffer; if (other) *other = 5;'
