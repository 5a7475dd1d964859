#!/usr/bin/env python3
"""rolled.py BUILD WORK: long schedules held in the original code: what they cost to build, to store and to run.

Ratios of processor time are medians of rounds, each with a native run, a held one, and the program's own code without a
schedule one after the other.
"""
import os, re, statistics, subprocess, sys, time

build, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROUNDS = 5
PROGRAMS = [("barnes", "2 20000 3 0.3"), ("barnes", "2 60000 6 0.3"), ("water", "2 500 100 7"), ("pfscan", "4 60000 2000 50"),
            ("ocean", "2 64 0.00001"), ("ferret", "8 20000 64")]
env = {k: v for k, v in os.environ.items() if not k.startswith("SPECIALIZE_")}
env.update(PATH=f"{build}/bin:{env['PATH']}", XDG_CACHE_HOME=f"{work}/cache")


def run(cmd, **more):
    """Seconds on the clock, seconds of processor time, what it wrote, the largest memory in MB."""
    start = time.monotonic()
    p = subprocess.Popen(cmd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**env, **more}, cwd=work)
    out = p.stdout.read()
    _, status, used = os.wait4(p.pid, 0)
    wall = time.monotonic() - start
    return wall, used.ru_utime + used.ru_stime, out, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def row(name, args):
    args = args.split()
    subprocess.run(["specialize-cc", "-O2", "-g", "-pthread", f"{top}/tests/programs/{name}.c", "-o", name, "-lm"], cwd=work, env=env, check=True)
    if os.path.exists(f"{work}/rolled.sigma"): os.unlink(f"{work}/rolled.sigma")
    run(["specialize", "record", "--constraint", "exact", "-o", "rolled.sigma", "--", f"./{name}", *args])
    read = run(["specialize", "check", f"./{name}", "rolled.sigma"])[1]
    run(["specialize", "build", f"./{name}", "--sigma", "rolled.sigma", "--trust", "-o", "rolled", "--rolled"])  # the cache is warm
    _, cpu, _, memory, status = run(["specialize", "build", f"./{name}", "--sigma", "rolled.sigma", "--trust", "-o", "rolled", "--rolled"])
    if status: return print(f"| {name} {' '.join(args)} | not built: {status} |")
    events = sum(1 for line in open(f"{work}/rolled.sigma", errors="replace") if re.match(r"t\d+ ", line))
    sections = subprocess.run(["readelf", "-SW", "rolled"], cwd=work, capture_output=True, text=True).stdout
    size = int(re.search(r"specialize_rolled +PROGBITS +\S+ +\S+ +(\S+)", sections).group(1), 16)
    cpus, walls, own, held = [], [], [], 0
    for _ in range(ROUNDS):
        native = run([f"./{name}", *args])
        kept = run(["./rolled", *args])
        plain = run(["./rolled", *args], SPECIALIZE_SCHEDULE="none")
        held += kept[4] == 0 and kept[2] == native[2]
        cpus.append(kept[1] / native[1]), walls.append(kept[0] / native[0]), own.append(plain[1] / native[1])
    m = statistics.median
    print(f"| {name}.c {' '.join(args)} | {events:,} | {size / events:.2f} B | {cpu:.2f} s, {memory:.0f} MB | {cpu / read:.1f} | {held} of {ROUNDS} | "
          f"{m(cpus):.2f} | {m(own):.2f} | {m(walls):.2f} |", flush=True)


os.makedirs(work, exist_ok=True)
print("""## Long schedules, rolled

`specialize build --rolled`: all events are held, in the original code. Held: runs of the recorded input with its output. CPU: held against
native; without a schedule: the same program with `SPECIALIZE_SCHEDULE=none` against native. Reading: the time of the build against that
of `specialize check`.

| program | events | an event | build: CPU, memory | build / reading | held | CPU | without a schedule | wall |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |""")
for name, args in PROGRAMS: row(name, args)
