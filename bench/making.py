#!/usr/bin/env python3
"""making.py PREFIX WORKDIR [PROGRAM...]: what `specialize build` costs: programs of tests/programs recorded on their `bench:`
input, with data flow and without, seconds of processor by phase; and how that grows with the number of events. Prints a
markdown section. SPEC_BENCH_OLD=PREFIX: another installation, whose seconds stand beside, measured in the same run."""
import os, re, shlex, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
from header import first

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/making"
old = os.environ.get("SPEC_BENCH_OLD")
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "programs")
names = sys.argv[3:] or ["lu", "ocean", "water", "ferret", "radix", "fft", "barnes", "cholesky", "streamcluster", "swaptions", "bodytrack"]
INPUTS = {"water": "2 300 3 7", "streamcluster": "2 200000 64 5", "barnes": "2 24 1 0.5"}  # others would be too short, or too long
GROWTH, OLD_EVENTS = [800, 3500, 12000, 25000], 20000  # locks of each of two threads; events that the other one gets at most
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(XDG_CACHE_HOME=work + "/cache", SPECIALIZE_CACHE="0")

LOCKS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void *worker(void *arg) {
  for (long i = 0, n = (long)arg; i < n; ++i) pthread_mutex_lock(&m), sum += i, pthread_mutex_unlock(&m);
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, (void *)atol(argv[argc - 1]));
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%ld\\n", sum);
  return 0;
}
"""

def run(*cmd, stdin="", limit=600):
    return subprocess.run(["timeout", str(limit), *cmd], input=stdin, cwd=work, env=env, capture_output=True, text=True, errors="replace")

def record(source, name, args, stdin=""):
    run(f"{prefix}/bin/specialize-cc", "-O2", "-g", "-pthread", source, "-o", name, "-lm")
    if os.path.exists(f"{work}/{name}.sigma"): os.remove(f"{work}/{name}.sigma")
    run(f"{prefix}/bin/specialize", "record", "-o", f"{name}.sigma", "--", f"./{name}", *args, stdin=stdin)
    run(f"{prefix}/bin/specialize", "constrain", f"{name}.sigma", "--schedule", "0", "--when", "true")

def build(where, name, *how):
    """Seconds of processor by phase, what was built, and the size of its code; None: it failed."""
    out = f"{work}/{name}.spec"
    got = run(f"{where}/bin/specialize", "build", "-j", "1", "--timings", "--budget", "5000000", f"./{name}", "--sigma", f"{name}.sigma", "-o", out, *how)
    said = re.search(r"(\d+) events, (\d+) instructions cloned", got.stderr)
    if got.returncode or not said: return None
    part = {p: float(s) for p, s in re.findall(r"^specialize: ([a-z ]+): [\d.]+ s, ([\d.]+) s of", got.stderr, re.M)}
    loops = re.search(r"loops: (\d+) in clones became (\d+)", got.stderr)
    text = sum(int(l.split()[1]) for l in run("size", "-A", out).stdout.splitlines() if l.startswith(".text"))
    return {"part": part, "cpu": sum(part.values()), "events": int(said[1]), "cloned": int(said[2]), "text": text,
            "loops": f"{loops[1]} → {loops[2]}" if loops else "", "memory": re.search(r"memory: (\d+)", got.stderr)[1]}

def llvm(b): return b["cpu"] - b["part"].get("data flow", 0)

def row(*cells): print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)

def table(how, title):
    print(f"\n{title}\n")
    row("program", "events", "cloned", "cpu, s", *(["before", "times less", "without data flow, times less"] if old else []), "clones", "data flow", "loops", "units", "passes", "machine code",
        "without data flow: s for 1,000 events", "and for 100,000 cloned", "loops → functions", "code, kB", *(["before"] if old else []))
    print("|---" * (17 if old else 13) + "|")
    for name in names:
        b, o = build(prefix, name, *how), build(old, name, *how) if old else None
        if not b:
            row(name, "fails")
            continue
        before = [f"{o['cpu']:.2f}", f"{o['cpu'] / b['cpu']:.1f}", f"{llvm(o) / llvm(b):.1f}"] if o else ["–"] * 3 if old else []
        p = lambda k: f"{b['part'].get(k, 0):.2f}"
        row(name, b["events"], b["cloned"], f"{b['cpu']:.2f}", *before, p("clones"), p("data flow"), p("loops"), p("units"), p("passes"), p("machine code"),
            f"{llvm(b) * 1e3 / b['events']:.2f}", f"{llvm(b) * 1e5 / b['cloned']:.2f}", b["loops"], b["text"] // 1000, *([o["text"] // 1000 if o else "–"] if old else []))

def growth():
    print("\nGrowth: two threads that take a lock in turn, without data flow.\n")
    row("events", "cpu, s", "s for 1,000 events", "MB, peak", "code, bytes an event", *(["before, s"] if old else []))
    print("|---" * (6 if old else 5) + "|")
    for n in GROWTH:
        with open(f"{work}/locks.c", "w") as f: f.write(LOCKS)
        record("locks.c", "locks", [str(n)])
        b = build(prefix, "locks", "--no-dataflow")
        o = build(old, "locks", "--no-dataflow") if b and old and b["events"] < OLD_EVENTS else None
        if b: row(b["events"], f"{b['cpu']:.2f}", f"{b['cpu'] * 1e3 / b['events']:.3f}", b["memory"], b["text"] // b["events"], *([f"{o['cpu']:.2f}" if o else "–"] if old else []))

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
for name in names:
    path = f"{programs}/{name}.c"
    stdin = first(path, "bench-stdin")
    record(path, name, shlex.split(INPUTS.get(name) or first(path, "bench") or ""), stdin + "\n" if stdin else "")
print("## What `build` costs\n\nSeconds of processor, one thread, nothing from the cache." + (" Before: another installation, in the same run." if old else ""))
table(["--no-dataflow"], "Without data flow:")
growth()
table([], "With data flow:")
