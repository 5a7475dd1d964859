#!/usr/bin/env python3
"""What recording costs: every program of tests/programs on its `bench:` input, native, recording, and recording with
branches in turn. Prints a markdown section. Usage: record.py PREFIX WORKDIR [ROUNDS [PROGRAM...]]"""
import glob, math, os, re, shlex, shutil, statistics, subprocess, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
from header import first

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/record"
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "programs")
names = sys.argv[4:] or sorted(f for f in os.listdir(programs) if re.search(r"\.(c|cc)$", f))
os.environ["PATH"] = prefix + "/bin:" + os.environ["PATH"]

def header(path, key):
    return first(path, key, None)

def arguments(name, key, stdin_key):
    stdin = header(f"{programs}/{name}", stdin_key)
    return shlex.split(header(f"{programs}/{name}", key) or ""), (stdin + "\n").encode() if stdin else b""

def build(source, args, stdin):
    """The app, the recording variant of it, and the one that records branches too."""
    app, cc = f"{work}/{os.path.basename(source)}", "specialize-c++" if source.endswith(".cc") else "specialize-cc"
    subprocess.run([cc, "-O2", "-g", "-pthread", source, "-o", app, "-lm"], check=True)
    for how, more in (("rec", []), ("path", ["--path"])):  # the variants that `record` itself makes and keeps
        cache = f"{app}.cache.{how}"
        subprocess.run(["specialize", "record", "--constraint", "exact", *more, "-o", f"{app}.sigma", "--", app, *args], input=stdin, cwd=work,
                       env={**os.environ, "XDG_CACHE_HOME": cache}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.rename(glob.glob(cache + "/specialize/*")[0], f"{app}.{how}")
    return {"native": app, "rec": app + ".rec", "path": app + ".path"}

def run(binary, args, stdin, out):
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    env = {**os.environ, "SPECIALIZE_DIR": out}
    before, start = os.times(), time.monotonic()
    subprocess.run([binary, *args], input=stdin, env=env, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, os.times()
    return wall, after.children_user - before.children_user + after.children_system - before.children_system

def measure(name, kinds, args, stdin=b""):
    got = {}
    for r in range(rounds):
        for k in list(kinds)[r % 3:] + list(kinds)[:r % 3]:  # each in each place
            got.setdefault(k, []).append(run(kinds[k], args, stdin, f"{work}/{k}.log"))
    counts = subprocess.run([f"{prefix}/bin/bench_recording", f"{work}/rec.log"], capture_output=True, text=True, check=True).stdout
    events, size, packed, merge = counts.split()
    ratio = lambda k, i: statistics.median(a[i] / b[i] for a, b in zip(got[k], got["native"]))
    return {"name": name, "wall": ratio("rec", 0), "cpu": ratio("rec", 1), "path": ratio("path", 1),
            "native": statistics.median(t[0] for t in got["native"]), "rec": statistics.median(t[0] for t in got["rec"]),
            "events": int(events), "bytes": int(size), "packed": int(packed), "merge": float(merge)}

def program(name):
    kinds = build(f"{programs}/{name}", *arguments(name, "args", "stdin"))
    return measure(re.sub(r"\..*", "", name), kinds, *arguments(name, "bench", "bench-stdin"))

LOCKS = (("one thread", "1 30000000 0 0"), ("2 threads, private locks", "2 20000000 0 0"), ("2 threads, one lock", "2 3000000 0 1"),
         ("2 threads, one lock, 100 rounds of work", "2 1000000 100 1"), ("4 threads, one lock, 100 rounds of work", "4 500000 100 1"))
def locks():
    kinds = build(f"{os.path.dirname(programs)}/../bench/programs/locks.c", "1 10 0 0".split(), b"")
    return [measure(name, kinds, args.split()) for name, args in LOCKS]

def table(first, rows):
    print(f"| {first} | native, s | wall | cpu | `--path` | events | events a second | bytes an event |\n|---|---|---|---|---|---|---|---|")
    for r in rows:
        print(f"| {r['name']} | {r['native']:.2f} | {r['wall']:.2f} | {r['cpu']:.2f} | {r['path']:.2f} | {r['events']} | {r['events'] / r['rec']:.0f} | {r['bytes'] / r['events']:.2f} |")

def geomean(values): return math.exp(statistics.mean(math.log(v) for v in values))

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
rows = [program(n) for n in names]
print(f"## Recording\n\nEvery program on its `bench:` input: native, recording, and recording with branches in turn, {rounds} rounds, medians.\n"
      "Wall and cpu: recording / native. `--path`: cpu of recording with branches / native. Bytes: of the packed recording, without\n"
      "its notes, for each event.\n")
table("program", rows)
total, long = sum(r["events"] for r in rows), [r for r in rows if r["events"] >= 10000]
for word, f in (("geomean", geomean), ("worst", max)):
    print(f"| **{word}** | | {f([r['wall'] for r in rows]):.2f} | {f([r['cpu'] for r in rows]):.2f} | {f([r['path'] for r in rows]):.2f} | | | |")
print(f"\nAll {total} events together: {sum(r['packed'] for r in rows) / total:.2f} bytes an event packed, all included"
      + (f"; worst of the programs with 10,000 events or more: {max(r['packed'] / r['events'] for r in long):.2f}." if long else ".")
      + f" Put in one order: {total / max(sum(r['merge'] for r in rows), 1e-3) / 1e6:.1f} million a second.")
print("\nNothing but locking (`bench/programs/locks.c`), the worst that can be recorded:\n")
table("", locks())
