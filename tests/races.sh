# For cases that look for races. They run the programs they make, whose variants are kept in a cache of their own.
command -v python3 > /dev/null || skip 'there is no python3'
export XDG_CACHE_HOME=$PWD/cache
# races APP [options]: a line for each finding, with the source of both sides, and the exit status.
races() {
  local app=$1
  shift
  specialize race "./$app" --sigma "$app.sigma" --evidence off "$@" --format json > out.json
  local status=$?
  pairs out.json
  echo "exit $status"
}
pairs() {
  python3 - "$1" << 'END'
import json, sys
def side(a):
    line = open(a["file"]).read().split("\n")[a["line"] - 1].strip() if a["file"] else "?"
    return ("atomic " if a["atomic"] else "") + ("free" if a["free"] else a["access"]) + f": {line}"
try: report = json.load(open(sys.argv[1]))
except ValueError: sys.exit()
# What was seen of a race, and with it the order, may differ from run to run.
for line in sorted("  ".join(["*" if r["known"] else "-", r["status"], r["object"], "|", *sorted((side(r["a"]), side(r["b"])))])
                   for r in report["races"]): print(line)
for gap in report["incomplete"]: print("incomplete:", gap["text"])
END
}
# made APP [arguments]: builds APP.c, or APP.cc, and records a run. flags: how it is built.
made() {
  local app=$1 cc=specialize-cc
  shift
  [ -e "$app.cc" ] && cc=specialize-c++
  rm -f "$app.sigma"
  $cc ${flags--O1} -g -pthread "$app".c* -o "$app" -lm && specialize record --constraint exact -o "$app.sigma" -- "./$app" "$@" > run.out 2> run.err || cat run.err
}
END_OF_THREADS='int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}'
# marked FILE... : makes, records and checks each. Lines that end in // R are two sides of one race; a file without them has
# none. Prints what came of each: found, missed, clean, or how many reports a race-free one has; and others beside it.
marked() {
  local file app
  for file; do
    app=${file%.*}
    made $app
    specialize race "./$app" --sigma "$app.sigma" --evidence off --format json > out.json 2> race.err || true
    python3 - "$app" "$file" << 'END'
import json, sys
app, source = sys.argv[1:]
marks = {n for n, line in enumerate(open(source).read().split("\n"), 1) if line.rstrip().endswith("// R")}
try: report = json.load(open("out.json"))
except ValueError: sys.exit(print(app + ": " + open("race.err").read().strip()))
def lines(side): return {f["line"] for f in side["stack"] if f["file"] == source} | ({side["line"]} if side["file"] == source else set())
hit = [r for r in report["races"] if marks & lines(r["a"]) and marks & lines(r["b"])]
rest = len(report["races"]) - len(hit)
what = ("found" if hit else "missed") if marks else "clean" if not rest else f"{rest} reports"
if marks and rest: what += f", {rest} others"
if report["incomplete"]: what += f", {len(report['incomplete'])} incomplete"
print(f"{app}: {what}")
END
  done
}
