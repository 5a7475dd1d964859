# Exact only if nothing else was read before the last event; the environment is part of the constraint.
export XDG_CACHE_HOME=$PWD/cache
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static void *run(void *a) { return a; }
int main(int argc, char **argv) {
  int x = 0;
  pthread_t t;
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "stdin")) x = getchar();
  if (!strcmp(how, "file")) { FILE *f = fopen("app.c", "r"); x = fgetc(f); fclose(f); }
  if (!strcmp(how, "time")) x = (int)time(0);
  if (!strcmp(how, "env")) x = getenv("SET") ? 1 : getenv("UNSET") ? 2 : 3;
  if (!strcmp(how, "rand")) x = rand();
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return x == -1;
}
X
specialize-cc -O1 -g -pthread app.c -o app
for how in none stdin file time env rand; do
  rm -f app.sigma
  echo x | SET=one specialize record --constraint exact -o app.sigma -- ./app $how 2> /dev/null
  echo "$how: exit $?"
  grep -E '^(env|when)' app.sigma
done
