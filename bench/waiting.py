#!/usr/bin/env python3
"""What waiting costs: programs with many turns, held to a schedule of 2 to 16 threads, on a quiet and on a busy machine.
Wall time, held / native, median of interleaved runs. Prints a markdown section. With OTHER, the prefix of another
installation, its numbers stand beside. Usage: waiting.py PREFIX WORKDIR [ROUNDS [OTHER]]"""
import math, os, statistics, subprocess, sys, time

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/waiting"
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
prefixes = [prefix] + [os.path.abspath(p) for p in sys.argv[4:5]]
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "programs")
NAMES = {"ocean": "%d 300 0.02", "water": "%d 240 2 7", "streamcluster": "%d 20000 12 5", "bodytrack": "%d 16 64 2000"}
THREADS = (2, 4, 8, 16)
os.makedirs(work, exist_ok=True)

def tool(at, *args, **more):
    return subprocess.run(args, env={**os.environ, "PATH": f"{at}/bin:{os.environ['PATH']}"}, cwd=work, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=True, **more)

def built(name, args, k):
    """The program and, of each installation, what it makes of one recording."""
    app, sigma = f"{work}/{name}", f"{work}/{name}.{k}.sigma"
    tool(prefix, "specialize-cc", "-O2", "-g", "-pthread", f"{programs}/{name}.c", "-o", app, "-lm")
    if os.path.exists(sigma):
        os.remove(sigma)
    subprocess.run([f"{prefix}/bin/specialize", "record", "--constraint", "exact", "-o", sigma, "--", app, *args], cwd=work, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    tool(prefix, "specialize", "constrain", sigma, "--schedule", "0", "--when", "true")
    specs = []
    for i, at in enumerate(prefixes):
        specs.append(f"{app}.{k}.spec{i}")
        tool(at, "specialize", "build", app, "--sigma", sigma, "-o", specs[-1])
    return [app] + specs

def once(binary, args):
    start = time.monotonic()
    subprocess.run([binary, *args], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start

def ratios(binaries, args):
    got = [[] for _ in binaries]
    for r in range(rounds):
        for i in range(len(binaries)):
            got[(i + r) % len(binaries)].append(once(binaries[(i + r) % len(binaries)], args))
    return [statistics.median(h / n for h, n in zip(held, got[0])) for held in got[1:]]

def table(all_built, busy):
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(6 if busy else 0)]
    rows = []
    try:
        for k in THREADS:
            cells = [ratios(b, a) for b, a in all_built[k]]
            rows.append((k, [math.exp(statistics.mean(math.log(c[i]) for c in cells)) for i in range(len(prefixes))], cells))
    finally:
        for p in load:
            p.kill()
    return rows

all_built = {k: [(built(n, (a % k).split(), k), (a % k).split()) for n, a in NAMES.items()] for k in THREADS}
print("| threads | machine | held / native, geometric mean |", *["other |"] * (len(prefixes) - 1), " | ".join(NAMES), "|")
print("|" + "---|" * (2 + len(prefixes) + len(NAMES)))
for busy in (False, True):
    for k, means, cells in table(all_built, busy):
        print(f"| {k} | {'busy' if busy else 'quiet'} |", " | ".join(f"{m:.2f}" for m in means), "|",
              " | ".join("/".join(f"{x:.2f}" for x in c) for c in cells), "|", flush=True)
