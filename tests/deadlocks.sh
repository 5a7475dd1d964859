# For cases that look for deadlocks.
command -v python3 > /dev/null || skip 'there is no python3'
export XDG_CACHE_HOME=$PWD/cache
# told REPORT: a line for each finding: who waits for what, and has what since where.
told() {
  python3 - "$1" << 'END'
import json, re, sys
# Which thread and which of many objects it is differs from run to run.
def line(f): return str(f["line"]) if f["file"] else "?"
def object_(name): return re.sub(r"\+\d+$|(?<=^[mrpcbsT])\d+$", "", name)
def thread(t):
    w = t["waits"]
    has = ", ".join(f'{object_(h["object"])} since {line(h)}' for h in t["holds"])
    return f'{w["does"]} {object_(w["object"])} at {line(w)}' + (f" (has {has})" if has else "")
try: report = json.load(open(sys.argv[1]))
except ValueError: sys.exit(print("no report"))
for line_ in sorted(f'  {"*" if d["known"] else "-"} {d["status"]} {d["kind"]}: ' + "; ".join(sorted(set(map(thread, d["threads"]))))
                   for d in report["deadlocks"]): print(line_)
for gap in report["incomplete"]: print("  incomplete:", gap["text"])
END
}
# recorded APP [arguments]: adds a schedule to APP.sigma.
recorded() {
  specialize record --constraint exact -o "$1.sigma" -- "./$1" "${@:2}" > run.out 2> run.err || true
}
