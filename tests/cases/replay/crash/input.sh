# A pointer is taken away between its test and its use: the crash behind the race is told. The assertion of another
# program too, and a status that is not the recorded one.
export XDG_CACHE_HOME=$PWD/cache
cat > crash.c <<X
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int *p;
static void *reader(void *a) {
  if (p)
    *(int *)a = *p;
  return 0;
}
int main(void) {
  pthread_t t;
  int x = 0;
  p = malloc(sizeof *p);
  *p = 5;
  pthread_create(&t, 0, reader, &x);
  pthread_join(t, 0);
  pthread_create(&t, 0, reader, &x);
  p = 0;
  pthread_join(t, 0);
  puts("done");
  return 0;
}
X
cat > count.c <<X
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int count;
static void *worker(void *a) {
  count = count + 1;
  return a;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  if (argc > 1) assert(count == 2);
  puts("counted");
  return count == 2 ? 0 : 7;
}
X
specialize-cc -g -pthread crash.c -o crash && specialize-cc -g -pthread count.c -o count
told() { sed 's/0x[0-9a-f]*[1-9a-f][0-9a-f]*/0xN/g; s/%[0-9]*/%N/g'; }
specialize record --constraint exact -o crash.sigma -- ./crash
test_witness ./crash crash.sigma 0 0.3:crash.c:18:w 2.1:crash.c:7:r > crash.sched
try specialize replay ./crash crash.sched 2>&1 | told
specialize record --constraint exact -o count.sigma -- ./count
test_witness ./count count.sigma 0 1.1:count.c:7:w 2.1:count.c:7:w > count.sched
try specialize replay ./count count.sched 2>&1 | told
specialize record --constraint exact -o asserts.sigma -- ./count x
test_witness ./count asserts.sigma 0 1.1:count.c:7:w 2.1:count.c:7:w > asserts.sched
try specialize replay ./count asserts.sched 2> said | told
grep -o 'Assertion.*failed' said
specialize replay --json ./count asserts.sched | sed 's/"0x[0-9a-f]*"/"0xN"/g; s/%[0-9]*/%N/g; s/"runs":[0-9]*/"runs":N/'
specialize replay --json ./count asserts.sched > asserts.json
python3 - "$TOP/docs/replay.schema.json" asserts.json <<'END'
import json, sys
schema, got = (json.load(open(f)) for f in sys.argv[1:])
def holds(s, v, at):
    s = schema["definitions"][s["$ref"].split("/")[-1]] if "$ref" in s else s
    if "enum" in s: assert v in s["enum"], at
    if s.get("type") == "object":
        assert set(s["required"]) <= set(v) <= set(s["properties"]), at
        for k in v: holds(s["properties"][k], v[k], f"{at}.{k}")
holds(schema, got, "replay")
try:
    import jsonschema
    jsonschema.validate(got, schema)
except ImportError:
    pass
END
