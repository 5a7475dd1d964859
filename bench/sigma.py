#!/usr/bin/env python3
"""What large schedules cost: simulated ones of a million events, and the verbs on a recorded one. Prints a markdown section.
Usage: sigma.py PREFIX WORKDIR [EVENTS]"""
import os, statistics, subprocess, sys, time

prefix, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/sigma"
events = sys.argv[3] if len(sys.argv) > 3 else "1000000"
here = os.path.dirname(os.path.abspath(__file__))
os.environ["PATH"] = prefix + "/bin:" + os.environ["PATH"]
os.environ["XDG_CACHE_HOME"] = work + "/cache"

def timed(cmd):
    """Seconds, and the most memory that it had at once, in bytes."""
    start = time.monotonic()
    pid = os.posix_spawnp(cmd[0], cmd, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, i, "/dev/null", os.O_WRONLY, 0) for i in (1, 2)])
    _, status, use = os.wait4(pid, 0)
    assert status == 0, cmd
    return time.monotonic() - start, use.ru_maxrss * 1024

os.makedirs(work, exist_ok=True)
print(f"## Schedules\n\nSimulated schedules of {events} events (`bench_sigma_load`). Load: from the file. Check: that it can have happened.\n"
      "Order: what is enforced, reduced. Bytes an event: events and order in memory.\n")
print(subprocess.run([f"{prefix}/bin/bench_sigma_load", events], capture_output=True, text=True, check=True).stdout)
app, sigma = work + "/barnes", work + "/barnes.sigma"
subprocess.run(["specialize-cc", "-O2", "-g", "-pthread", f"{here}/../tests/programs/barnes.c", "-o", app, "-lm"], check=True)
if os.path.exists(sigma): os.remove(sigma)
print("A recorded one: `barnes` with about as many events, the whole verb with the module and its bitcode read, median of 3.\n")
print("| verb | s | events a second | peak RSS an event |\n|---|---|---|---|")
record = timed(["specialize", "record", "--constraint", "exact", "--max-events", events, "-o", sigma, "--", app, "2", "20000", "2", "0.3"])
n = int(open(sigma).read().rsplit("end ", 1)[1])
row = lambda word, s, m: print(f"| {word} | {s:.2f} | {n / s / 1e6:.2f} M | {m / n:.0f} |", flush=True)
row("`record`, with the run", *record)
for word, cmd in (("`check`", ["specialize", "check", app, sigma]), ("`show`", ["specialize", "show", sigma]), ("`show --json`", ["specialize", "show", "--json", sigma]),
                  ("`show --trace`", ["specialize", "show", "--trace", "-o", work + "/trace.json", sigma]), ("`tests/referee.py`", [f"{here}/../tests/referee.py", sigma])):
    runs = [timed(cmd) for _ in range(3)]
    row(word, statistics.median(r[0] for r in runs), max(r[1] for r in runs))
